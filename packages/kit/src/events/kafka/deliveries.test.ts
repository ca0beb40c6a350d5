import { setImmediate } from 'node:timers/promises'
import { expect, it } from '@jest/globals'
import pino from 'pino'
import type { EventRecord } from '../transport.js'
import { createDeliveries, type PartitionRecord } from './deliveries.js'

const never = new AbortController().signal

/** The record at this offset of one partition. */
const at = (offset: number): PartitionRecord => ({
  position: `topic 0 ${offset}`,
  offset: String(offset),
  record: { id: String(offset), topic: 'topic' } as EventRecord,
})
const from = (first: number, last: number) =>
  [at(first), ...Array.from({ length: last - first }, (_, index) => at(first + 1 + index))] as const

/** Deliveries whose handlers run until the test ends them. `brought` has the ids of each call. */
function held() {
  const runs: { ids: string; end: (handled?: boolean) => void; fail: () => void }[] = []
  const begin = (records: readonly EventRecord[]) => {
    const { promise, resolve, reject } = Promise.withResolvers<boolean>()
    runs.push({
      ids: records.map(({ id }) => id).join(' '),
      end: (handled = true) => resolve(handled),
      fail: () => reject(new Error('not now')),
    })
    return promise
  }
  const deliveries = createDeliveries({
    handle: async (record) => void (await begin([record])),
    batches: { topics: new Set(['topic']), handle: begin },
    log: pino({ enabled: false }),
    handlingTimeoutMs: 5,
  })
  const run = (index: number) => {
    const found = runs[index]
    if (!found) throw new Error(`There is no run ${index}.`)
    return found
  }
  const deliver = async (first: number, last: number) => {
    const { outcome, records } = await deliveries.deliver(from(first, last), never)
    return outcome === 'late' ? outcome : `${outcome} ${records[0].offset} to ${records.at(-1)?.offset}`
  }
  return { deliveries, deliver, run, brought: () => runs.map(({ ids }) => ids) }
}

it('late records join the same run when they are delivered again, with more or fewer others, and are not handled twice', async () => {
  const { deliver, run, brought } = held()
  expect(await deliver(3, 5)).toBe('late')
  expect(await deliver(3, 9)).toBe('late')
  expect(await deliver(1, 9)).toBe('late')
  expect(brought()).toEqual(['3 4 5', '1 2'])
  run(0).end()
  run(1).end()
  expect(await deliver(1, 9)).toBe('handled 1 to 2')
  expect(await deliver(3, 4)).toBe('handled 3 to 5')
  expect(await deliver(6, 9)).toBe('late')
  expect(brought()).toEqual(['3 4 5', '1 2', '6 7 8 9'])
})

it('records that are delivered again from the middle of a run wait for its end, and are then delivered once more', async () => {
  const { deliver, run, brought } = held()
  expect(await deliver(3, 5)).toBe('late')
  expect(await deliver(4, 9)).toBe('late')
  expect(brought()).toEqual(['3 4 5'])
  run(0).end()
  expect(await deliver(4, 9)).toBe('failed 4 to 9')
  void deliver(4, 9)
  expect(brought()).toEqual(['3 4 5', '4 5 6 7 8 9'])
})

it('records that fail together are handled together again', async () => {
  const { deliver, run, brought } = held()
  const delivered = deliver(1, 2)
  run(0).fail()
  expect(await delivered).toBe('failed 1 to 2')
  void deliver(1, 2)
  expect(brought()).toEqual(['1 2', '1 2'])
})

it('records that cannot be handled together are handled one by one', async () => {
  const { deliver, run, brought } = held()
  const delivered = deliver(1, 2)
  run(0).end(false)
  expect(await delivered).toBe('apart 1 to 2')
  const alone = deliver(1, 1)
  run(1).end()
  expect(await alone).toBe('handled 1 to 1')
  expect(brought()).toEqual(['1 2', '1'])
})

it('`ended` resolves when a late run has ended', async () => {
  const { deliveries, deliver, run } = held()
  await deliver(1, 2)
  let ended = false
  const ending = deliveries.ended(at(2).position).then(() => {
    ended = true
  })
  await setImmediate()
  expect(ended).toBe(false)
  run(0).end()
  await ending
})
