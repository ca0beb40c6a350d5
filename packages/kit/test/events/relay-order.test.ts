import { platform } from '@caseway/kit/database'
import { createDirectTransport, type EventRecord, type EventTransport, outbox } from '@caseway/kit/events'
import { eventually } from '@caseway/testing'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { type Notes, notesDatabase } from '../support/notes.js'
import { userEvent, userTopic } from '../support/people.js'
import { idOf, oneToTen, recorder, relaysOf } from '../support/relays.js'

let notes: Notes
const { relay, emit, killLeader, stopAll } = relaysOf(() => notes)
beforeEach(async () => {
  notes = await notesDatabase()
})
afterEach(async () => {
  await stopAll()
  await notes.stop()
})

describe('an event that is not handled yet', () => {
  /** A transport that returns the records of office 1 as pending. */
  function leaving() {
    const published: EventRecord[] = []
    const pending: { id: bigint; settle: PromiseWithResolvers<void> }[] = []
    const transport: EventTransport = {
      ...createDirectTransport(),
      async publish(records) {
        published.push(...records)
        return records
          .filter(({ key }) => key === '1')
          .map((record) => {
            const settle = Promise.withResolvers<void>()
            pending.push({ id: idOf(record), settle })
            return { record, handled: settle.promise }
          })
      },
    }
    return { transport, ids: () => published.map(idOf), pending }
  }
  const emitFor = (customerId: bigint, id: bigint) => notes.db.write(platform, (tx) => outbox(tx, userTopic, userEvent(id, { customerId })))
  const left = async () => (await notes.rows<{ key: string }>('SELECT key FROM kit.outbox ORDER BY id')).map(({ key }) => key)

  it('delays later events of its key only', async () => {
    const { transport, ids, pending } = leaving()
    relay(transport)
    await emitFor(1n, 1n)
    await eventually(() => expect(ids()).toEqual([1n]))
    await emitFor(1n, 2n)
    await emitFor(2n, 3n)
    await eventually(() => expect(ids()).toEqual([1n, 3n]))
    await eventually(async () => expect(await left()).toEqual(['1', '1']))
    pending[0]?.settle.resolve()
    await eventually(() => expect(ids()).toEqual([1n, 3n, 2n]))
    pending[1]?.settle.resolve()
    await eventually(async () => expect(await left()).toEqual([]))
  })

  it('is published again when its handler fails, before later events of its key', async () => {
    const { transport, ids, pending } = leaving()
    relay(transport)
    await emitFor(1n, 1n)
    await eventually(() => expect(ids()).toEqual([1n]))
    await emitFor(1n, 2n)
    pending[0]?.settle.reject(new Error('not now'))
    await eventually(() => expect(ids()).toEqual([1n, 1n, 2n]))
  })
})

describe('of several relays', () => {
  it('one leads, and another takes over when it stops', async () => {
    const [one, other] = [recorder(), recorder()]
    const first = relay(one.transport, { pollMs: 20 })
    await emit(1n)
    await eventually(() => expect(one.ids()).toEqual([1n]))
    relay(other.transport, { db: notes.open(), pollMs: 20 })
    await emit(...oneToTen.slice(1, 5))
    await eventually(() => expect(one.ids()).toEqual(oneToTen.slice(0, 5)))
    expect(other.ids()).toEqual([])
    await first.stop()
    await emit(...oneToTen.slice(5))
    await eventually(() => expect(other.ids()).toEqual(oneToTen.slice(5)))
    expect(one.ids()).toEqual(oneToTen.slice(0, 5))
  })

  it('one leads again when the leader loses its connection', async () => {
    const both = recorder()
    relay(both.transport, { pollMs: 20 })
    relay(both.transport, { db: notes.open(), pollMs: 20 })
    await emit(1n)
    await eventually(() => expect(both.ids()).toEqual([1n]))
    await killLeader()
    await emit(...oneToTen.slice(1))
    await eventually(() => expect(both.ids()).toEqual(oneToTen))
  })
})
