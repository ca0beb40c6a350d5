import type { EventTransport } from '@caseway/kit/events'
import { eventually } from '@caseway/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { type Notes, notesDatabase } from './support/notes.js'
import { idOf, patient, type TransportRun, transportRun } from './support/transport-run.js'

/** The contract of delivery by any transport. */
export function deliveryContract(name: string, makeTransport: (topic: string) => Promise<EventTransport>): void {
  describe(`events over ${name}`, () => {
    let notes: Notes
    let run: TransportRun
    beforeAll(async () => {
      notes = await notesDatabase()
    })
    afterAll(() => notes.stop())
    beforeEach(async () => {
      run = await transportRun(makeTransport, notes)
    })
    afterEach(() => run.stop())

    it('are delivered unchanged', async () => {
      const { collect, publish, record, topic } = run
      const { received } = await collect()
      const made = record(2n ** 53n - 1n)
      const sent = { ...made, headers: { ce_id: made.id, traceparent: '00-1-2-01' } }
      await publish([sent])
      await eventually(() => expect(received).toHaveLength(1))
      expect(received[0]).toMatchObject({ topic, key: sent.key, id: sent.id, headers: sent.headers })
      expect(received[0]?.time).toEqual(sent.time)
      expect(Buffer.from(received[0]?.payload ?? []).equals(sent.payload)).toBe(true)
    })

    it('are delivered in order for each key', async () => {
      const { publish, record, subscribe } = run
      const received = new Map<string, bigint[]>()
      await subscribe(async (record) => {
        received.set(record.key, [...(received.get(record.key) ?? []), idOf(record)])
      })
      const keys = [1n, 2n, 3n, 4n, 5n]
      const records = Array.from({ length: 500 }, (_, index) => record(BigInt(index + 1), { customerId: BigInt((index % 5) + 1) }))
      for (let start = 0; start < 500; start += 50) await publish(records.slice(start, start + 50))
      await eventually(() => expect([...received.values()].flat()).toHaveLength(500), patient)
      for (const key of keys) expect(received.get(String(key))).toEqual(records.filter((sent) => sent.key === String(key)).map(idOf))
    })

    it('are delivered to every group, and to one copy of each', async () => {
      const { collect, group, publish, record } = run
      const copies = [await collect(), await collect()]
      const other = await collect({ group: `other-${group}` })
      await publish(Array.from({ length: 20 }, (_, index) => record(BigInt(index + 1), { customerId: BigInt(index + 1) })))
      await eventually(() => {
        expect(copies.flatMap(({ received }) => received.map(idOf))).toHaveLength(20)
        expect(other.received).toHaveLength(20)
      }, patient)
    })

    it('are delivered again when a handler fails, before later events of their key', async () => {
      const { publish, record, subscribe } = run
      const handled: bigint[] = []
      let failures = 0
      await subscribe(async (record) => {
        if (idOf(record) === 2n && failures++ < 2) throw new Error('not now')
        handled.push(idOf(record))
      })
      await publish([record(1n), record(2n), record(3n)])
      await eventually(() => expect(handled.slice(-2)).toEqual([2n, 3n]), patient)
      expect(handled.filter((id, index) => handled.indexOf(id) === index)).toEqual([1n, 2n, 3n])
    })

    it('are delivered to another copy when one stops while it handles them', async () => {
      const { collect, publish, record, subscribe } = run
      const begun = Promise.withResolvers<void>()
      const dying = await subscribe(() => {
        begun.resolve()
        return new Promise<never>(() => {})
      })
      const published = publish([record(1n)])
      await begun.promise
      await dying.stop()
      const { received } = await collect()
      await published
      await eventually(() => expect(received.map(idOf)).toEqual([1n]), patient)
    })

    it('that a copy has handled before it is stopped are not delivered to another', async () => {
      const { collect, publish, record } = run
      const stopped = await collect()
      await publish([record(1n)])
      await eventually(() => expect(stopped.received.map(idOf)).toEqual([1n]), patient)
      await stopped.subscription.stop()
      const published = publish([record(2n)])
      const { received } = await collect()
      await published
      // The records have the same key, so that the first one would be delivered before the second.
      await eventually(() => expect(received.map(idOf)).toContain(2n), patient)
      expect(received.map(idOf)).toEqual([2n])
    })

    it('wait for a group that has no members', async () => {
      const { collect, publish, record } = run
      const { subscription } = await collect()
      await subscription.stop()
      const published = publish([record(1n), record(2n)])
      const { received } = await collect()
      await published
      await eventually(() => expect(received.map(idOf)).toEqual([1n, 2n]), patient)
    })

    it('that are broadcast are delivered to every copy that has subscribed, even if another one fails', async () => {
      const { collect, publish, record, subscribe } = run
      const early = await collect({ broadcast: true })
      await subscribe(() => Promise.reject(new Error('a broken copy')), { broadcast: true })
      await publish([record(1n)])
      await eventually(() => expect(early.received.map(idOf)).toEqual([1n]))
      const late = await collect({ broadcast: true })
      await publish([record(2n)])
      await eventually(() => {
        expect(early.received.map(idOf)).toEqual([1n, 2n])
        expect(late.received.map(idOf)).toEqual([2n])
      })
      await late.subscription.stop()
      await publish([record(3n)])
      await eventually(() => expect(early.received.map(idOf)).toEqual([1n, 2n, 3n]))
      expect(late.received).toHaveLength(1)
    })
  })
}
