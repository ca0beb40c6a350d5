import { eventually } from '@caseway/testing'
import { expect, it } from '@jest/globals'
import { createLog } from '../../observability/index.js'
import { persist } from './persistence.js'

const log = createLog({ service: 'test', level: 'silent' })

it('a subscription receives nothing before it takes part, nor while the broker says nothing', async () => {
  const broker = { answers: false, silent: false }
  const part = persist(async () => {
    if (!broker.answers) throw new Error('away')
    return { silent: () => false, receiving: () => !broker.silent, stop: async () => undefined }
  }, log)
  expect(part.receiving()).toBe(false)
  broker.answers = true
  await part.joined
  await eventually(() => expect(part.receiving()).toBe(true))
  broker.silent = true
  expect(part.receiving()).toBe(false)
  await part.stop()
})
