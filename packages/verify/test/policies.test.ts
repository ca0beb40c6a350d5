import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from '@jest/globals'

const policies = (...args: string[]) =>
  spawnSync(process.execPath, [fileURLToPath(new URL('../policies.mjs', import.meta.url)), ...args], { encoding: 'utf8' })

it('finds no difference between the migrations of a service and its tables', () => {
  expect(policies('cases-and-counters')).toMatchObject({ stdout: 'The migrations say what src/tables.ts says.\n', status: 0 })
})

it('prints its usage without a service', () => {
  expect(policies()).toMatchObject({ stdout: '', stderr: expect.stringContaining('Usage: npm run policies'), status: 1 })
})
