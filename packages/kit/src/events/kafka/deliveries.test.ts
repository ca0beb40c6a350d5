import { eventually } from '@caseway/testing'
import { expect, it } from '@jest/globals'
import pino from 'pino'
import type { EventRecord, EventRecords } from '../transport.js'
import { createDeliveries, type Placed } from './deliveries.js'

const never = new AbortController().signal

/** The record at this offset of one partition. */
const at = (offset: number): Placed => ({ place: `topic 0 ${offset}`, record: { id: String(offset) } as EventRecord })
const from = (first: number, last: number) =>
  [at(first), ...Array.from({ length: last - first }, (_, index) => at(first + 1 + index))] as const

/** A handler that works until it is let go, and what was brought to it. */
function held() {
  const runs: { ids: string[]; end: () => void; fail: () => void }[] = []
  const handle = (records: EventRecords) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    runs.push({ ids: records.map(({ id }) => id), end: resolve, fail: () => reject(new Error('not now')) })
    return promise
  }
  const deliveries = createDeliveries({ handle, log: pino({ enabled: false }), handlingTimeoutMs: 5 })
  const run = (index: number) => {
    const found = runs[index]
    if (!found) throw new Error(`There is no run ${index}.`)
    return found
  }
  return { deliveries, run, brought: () => runs.map(({ ids }) => ids.join(' ')) }
}

it('records that are late meet the same run when they come again, and nobody else gets them', async () => {
  const { deliveries, run, brought } = held()
  expect(await deliveries.deliver(from(3, 5), never)).toEqual({ outcome: 'late', size: 3 })
  // More of them have come meanwhile, or the place of the group was not committed yet.
  expect(await deliveries.deliver(from(3, 9), never)).toEqual({ outcome: 'late', size: 3 })
  expect(await deliveries.deliver(from(1, 9), never)).toEqual({ outcome: 'late', size: 2 })
  expect(brought()).toEqual(['3 4 5', '1 2'])
  run(0).end()
  run(1).end()
  expect(await deliveries.deliver(from(1, 9), never)).toEqual({ outcome: 'handled', size: 2 })
  expect(await deliveries.deliver(from(3, 9), never)).toEqual({ outcome: 'handled', size: 3 })
  expect(await deliveries.deliver(from(6, 9), never)).toEqual({ outcome: 'late', size: 4 })
  expect(brought()).toEqual(['3 4 5', '1 2', '6 7 8 9'])
})

it('records that fail together come again together', async () => {
  const { deliveries, run, brought } = held()
  const delivered = deliveries.deliver(from(1, 2), never)
  run(0).fail()
  expect(await delivered).toEqual({ outcome: 'failed', size: 2 })
  void deliveries.deliver(from(1, 2), never)
  await eventually(() => expect(brought()).toEqual(['1 2', '1 2']))
})

it('says when the run that was late has ended', async () => {
  const { deliveries, run } = held()
  await deliveries.deliver(from(1, 2), never)
  let ended = false
  const ending = deliveries.ended(at(1).place).then(() => {
    ended = true
  })
  expect(ended).toBe(false)
  run(0).end()
  await ending
})
