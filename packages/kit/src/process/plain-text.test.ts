import { expect, it } from '@jest/globals'
import { defineConfig, flag, processVariables } from '../config/index.js'
import { warnOfPlainText } from './plain-text.js'

const config = defineConfig('NOTES', { ...processVariables, S3_INSECURE: flag({ default: false, help: 'Plain text' }) })

const warnedOf = (env: NodeJS.ProcessEnv) => {
  const lines: unknown[] = []
  warnOfPlainText([...config.variables(), ...config.variables()], env, { warn: (line: unknown) => void lines.push(line) })
  return lines
}

it('the variables that allow plain text are logged in one line', () => {
  expect(warnedOf({ KAFKA_INSECURE: 'true', NOTES_S3_INSECURE: 'true' })).toEqual([{ variables: ['KAFKA_INSECURE', 'NOTES_S3_INSECURE'] }])
  expect(warnedOf({ KAFKA_INSECURE: 'false', NOTES_S3_INSECURE: '', OTHER_S3_INSECURE: 'true' })).toEqual([])
})
