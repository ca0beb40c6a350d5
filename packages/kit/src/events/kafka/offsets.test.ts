import { eventually } from '@caseway/testing'
import { describe, expect, it } from '@jest/globals'
import type { TopicPartitionOffset } from 'kafkajs'
import pino from 'pino'
import { createOffsets } from './offsets.js'

function noted(commitEveryMs: number) {
  const commits: string[][] = []
  let refused = 0
  const commitOffsets = async (offsets: TopicPartitionOffset[] = []) => {
    if (refused-- > 0) throw new Error('Not the coordinator.')
    commits.push(offsets.map(({ topic, partition, offset }) => `${topic}/${partition} ${offset}`))
  }
  const offsets = createOffsets({ consumer: { commitOffsets }, log: pino({ enabled: false }), commitEveryMs })
  const refuse = (times: number) => {
    refused = times
  }
  return { offsets, commits, refuse }
}

describe('the offsets of handled records', () => {
  it('are committed together, for all partitions, and once', async () => {
    const { offsets, commits } = noted(20)
    const [first, second] = [offsets.of('a', 0), offsets.of('b', 1)]
    await Promise.all([first('6'), second('1'), first('7')])
    expect(commits).toEqual([])
    await eventually(() => expect(commits).toEqual([['a/0 8', 'b/1 2']]))
    await first('8')
    await eventually(() => expect(commits).toEqual([['a/0 8', 'b/1 2'], ['a/0 9']]))
  })

  it('are part of the next commit when one has failed', async () => {
    const { offsets, commits, refuse } = noted(20)
    refuse(2)
    await offsets.of('a', 0)('6')
    await eventually(async () => expect(commits).toEqual([['a/0 7']]))
  })

  it('are not committed for partitions that were assigned before a rebalance', async () => {
    const { offsets, commits } = noted(60_000)
    const old = offsets.of('a', 0)
    await old('6')
    offsets.forget()
    await offsets.of('b', 0)('1')
    await old('7')
    await offsets.stop()
    expect(commits).toEqual([['b/0 2']])
  })

  it('are committed by `stop`, and later ones at once', async () => {
    const { offsets, commits } = noted(60_000)
    const note = offsets.of('a', 0)
    await note('6')
    await offsets.stop()
    await note('7')
    expect(commits).toEqual([['a/0 7'], ['a/0 8']])
  })
})
