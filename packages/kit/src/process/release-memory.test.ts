import { getHeapSpaceStatistics } from 'node:v8'
import { expect, it } from '@jest/globals'
import { releaseStartMemory } from './release-memory.js'

const youngBytes = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0

it('memory that only the start needed is released', async () => {
  const kept: object[] = []
  while (youngBytes() < 4 * 1024 * 1024) kept.push(...Array.from({ length: 10_000 }, (_, index) => ({ index })))
  const before = youngBytes()
  kept.length = 0
  await releaseStartMemory()
  expect(youngBytes()).toBeLessThan(before)
})
