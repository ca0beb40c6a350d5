import { expect, it } from '@jest/globals'
import { memoryLimit } from './process-metrics.js'

const machine = 16 * 1024 ** 3

it('the memory limit is that of the container, and undefined without one', () => {
  expect(memoryLimit(512 * 1024 ** 2, machine)).toBe(536_870_912)
  // Control groups of version 2 and of version 1 without a limit, and a system that has none.
  for (const unlimited of [2 ** 64, 2 ** 63 - 4096, machine, 0]) expect(memoryLimit(unlimited, machine)).toBeUndefined()
})
