import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from '@jest/globals'

const policies = (...args: string[]) =>
  spawnSync(process.execPath, [fileURLToPath(new URL('../policies.mjs', import.meta.url)), ...args], { encoding: 'utf8' })

it('finds that the migrations of a service say what its tables declare', () => {
  expect(policies('cases-and-counters')).toMatchObject({ stdout: 'The migrations say what src/tables.ts says.\n', status: 0 })
})

it('says how it is used to whoever names no service', () => {
  expect(policies()).toMatchObject({ stdout: '', stderr: expect.stringContaining('Usage: npm run policies'), status: 1 })
})
