import { platform } from '@caseway/kit/database'
import { type EventRecord, type EventTransport, replayDeadLetters } from '@caseway/kit/events'
import { UserEvent } from '@caseway/protos/auth/v1/events'
import { eventually, randomId } from '@caseway/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { log, type Notes, notesDatabase } from './support/notes.js'
import { keepPerson } from './support/people.js'
import { patient, type TransportRun, transportRun } from './support/transport-run.js'

/** The contract of consumers over any transport: retries, dead letters and order. */
export function consumingContract(name: string, makeTransport: (topic: string) => Promise<EventTransport>): void {
  describe(`consumers over ${name}`, () => {
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

    it('keep an event that always fails among 1,000 as a dead letter, which can be replayed, and handle the others', async () => {
      const { consume, publish, record, topic } = run
      const first = randomId()
      const ids = Array.from({ length: 1000 }, (_, index) => first + BigInt(index))
      const poison = first + 500n
      let cured = false
      const consumers = await consume(async (event) => {
        if (event.id === poison && !cured) throw new Error('cannot be understood')
        return notes.db.write(platform, (tx) => keepPerson(tx, event))
      })
      const records = ids.map((id, index) => record(id, { customerId: BigInt(index % 7) }))
      for (let start = 0; start < 1000; start += 100) await publish(records.slice(start, start + 100))
      const kept = () => notes.rows('SELECT FROM person_copies WHERE id BETWEEN $1 AND $2', [first, first + 999n])
      await eventually(async () => expect(await kept()).toHaveLength(999), patient)
      const letters = () => notes.rows('SELECT event_id, error FROM kit.dead_letter WHERE topic = $1', [topic])
      await eventually(async () => expect(await letters()).toEqual([{ event_id: records[500]?.id, error: 'Error: cannot be understood' }]))
      cured = true
      expect(await replayDeadLetters(notes.db, consumers, log)).toEqual({ handled: 1, left: 0 })
      expect(await kept()).toHaveLength(1000)
      expect(await letters()).toEqual([])
    })

    it('handle events of a locked row when it is released, in the order of their key, and delay few others', async () => {
      const { blocked, consume, publish, record, topic } = run
      const [mine, others] = [randomId(), Array.from({ length: 20 }, () => randomId())]
      const impatient = notes.open({ lockTimeoutMs: 20 })
      const tries = { mine: 0 }
      const handled: bigint[] = []
      const take = async (event: UserEvent) => {
        if (event.id === mine) tries.mine++
        await impatient.write(platform, (tx) => keepPerson(tx, event))
        handled.push(event.id)
      }
      await consume(take, { retryMs: { first: 1, max: 50 } })
      await publish([record(mine, { lastname: 'Old' })])
      await eventually(() => expect(handled).toEqual([mine]), patient)
      const [locked, leave] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const holding = notes.db.write(platform, async (tx) => {
        await tx.$queryRaw`SELECT FROM person_copies WHERE id = ${mine} FOR UPDATE`
        locked.resolve()
        await leave.promise
      })
      await locked.promise
      const after = randomId()
      const published = publish([
        record(mine, { lastname: 'New', revision: 2n }),
        record(after),
        ...others.map((id) => record(id, { customerId: id })),
      ])
      // More tries than after permanent errors. Over Kafka, other keys of its partition wait as well.
      await eventually(() => {
        expect(tries.mine).toBeGreaterThan(8)
        expect(handled.filter((id) => others.includes(id)).length).toBeGreaterThan(others.length / 2)
      }, patient)
      expect(handled).not.toContain(after)
      expect(await blocked()).toBe(1)
      leave.resolve()
      await Promise.all([holding, published])
      await eventually(() => expect(new Set(handled)).toEqual(new Set([mine, after, ...others])), patient)
      expect(handled.indexOf(after)).toBeGreaterThan(handled.lastIndexOf(mine))
      expect(await notes.rows('SELECT name FROM person_copies WHERE id = $1', [mine])).toEqual([{ name: 'New' }])
      expect(await notes.rows('SELECT FROM kit.dead_letter WHERE topic = $1', [topic])).toEqual([])
      expect(await blocked()).toBe(0)
    })

    it('wait for a handler that exceeds its deadline, and never run it twice at the same time', async () => {
      const { blocked, consume, publish, record, topic } = run
      const leave = Promise.withResolvers<void>()
      const runs = { begun: 0, atOnce: 0, most: 0 }
      const take = async () => {
        runs.begun++
        runs.most = Math.max(runs.most, ++runs.atOnce)
        if (runs.begun === 1) await leave.promise
        runs.atOnce--
        if (runs.begun === 1) throw new Error('too late')
      }
      await consume(take, { tryTimeoutMs: 5, retryMs: { first: 1, max: 1 } })
      const published = publish([record(1n)])
      await eventually(async () => expect(await blocked()).toBe(1), patient)
      expect(runs.begun).toBe(1)
      leave.resolve()
      await published
      await eventually(() => expect(runs).toEqual({ begun: 2, atOnce: 0, most: 1 }), patient)
      await eventually(async () => expect(await blocked()).toBe(0))
      expect(await notes.rows('SELECT FROM kit.dead_letter WHERE topic = $1', [topic])).toEqual([])
    })

    it('keep invalid records as dead letters, which are not handled by a replay either, and handle the next event', async () => {
      const { consume, publish, record, topic } = run
      const next = randomId()
      const handled: bigint[] = []
      const consumers = await consume(async (event) => {
        handled.push(event.id)
        await notes.db.write(platform, (tx) => keepPerson(tx, event))
      })
      const flawed = [
        { ...record(1n), id: 'no-uuid' },
        { ...record(2n), id: '' },
        { ...record(3n), payload: Buffer.alloc(0) },
        { ...record(4n), id: 'a\0b', key: 'c\0d' },
      ].map((each) => ({ ...each, headers: { ...each.headers, ce_id: each.id } }))
      const absurd = record(randomId(), { revision: 2n ** 62n })
      await publish([...flawed, absurd, record(next)])
      await eventually(async () => expect(await notes.rows('SELECT FROM person_copies WHERE id = $1', [next])).toHaveLength(1), patient)
      const letters = () => notes.rows<{ error: string }>('SELECT error FROM kit.dead_letter WHERE topic = $1 ORDER BY error', [topic])
      const [noContent, noId, noRevision] = [
        'Error: The record has no content.',
        'Error: The record has no header ce_id that is a UUID.',
        /no revision/,
      ]
      await eventually(async () => expect(await letters()).toHaveLength(5), patient)
      const errors = (await letters()).map(({ error }) => error)
      expect(errors).toEqual([noContent, noId, noId, noId, expect.stringMatching(noRevision)])
      expect(new Set(handled)).toEqual(new Set([UserEvent.decode(absurd.payload).id, next]))
      expect(await replayDeadLetters(notes.db, consumers, log)).toEqual({ handled: 0, left: 5 })
      expect(new Set(handled)).toEqual(new Set([UserEvent.decode(absurd.payload).id, next]))
      expect(await notes.rows('SELECT FROM person_copies WHERE id = $1', [UserEvent.decode(absurd.payload).id])).toEqual([])
    })

    it('end in the same state when events are delivered three times and out of order', async () => {
      const { consume, publish, record } = run
      const first = randomId()
      await consume((event) => notes.db.write(platform, (tx) => keepPerson(tx, event)))
      const states = Array.from({ length: 10 }, (_, person) =>
        Array.from({ length: 10 }, (_, index) =>
          record(first + BigInt(person), { customerId: BigInt(person), lastname: `${person}.${index}`, revision: BigInt(index + 1) }),
        ),
      ).flat()
      // 7 and 300 have no common divisor, so that this is a permutation.
      const shuffled = Array.from({ length: 300 }, (_, place) => states[((place * 7) % 300) % 100] as EventRecord)
      const last = record(first + 10n, { customerId: 10n })
      await publish([...shuffled, last])
      const names = () => notes.rows('SELECT name FROM person_copies WHERE id BETWEEN $1 AND $2 ORDER BY id', [first, first + 9n])
      await eventually(
        async () => expect(await names()).toEqual(Array.from({ length: 10 }, (_, person) => ({ name: `${person}.9` }))),
        patient,
      )
    })
  })
}
