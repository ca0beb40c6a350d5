import { randomUUID } from 'node:crypto'
import { platform } from '@caseway/kit/database'
import {
  type ConsumerOptions,
  consumer,
  type EventRecord,
  type EventTransport,
  type Running,
  replayDeadLetters,
  startConsumers,
} from '@caseway/kit/events'
import { UserEvent } from '@caseway/protos/auth/v1/events'
import { eventually, randomId } from '@caseway/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { log, type Notes, notesDatabase } from './support/notes.js'
import { keepPerson, recordOf, userEvent, userTopic } from './support/people.js'

const patient = { timeoutMs: 20_000 }

/** What services rely on, whatever carries their events. Each test has topics and groups of its own. */
export function transportContract(name: string, makeTransport: (topic: string) => Promise<EventTransport>): void {
  describe(`events over ${name}`, () => {
    let transport: EventTransport
    let notes: Notes
    let topic: string
    let group: string
    const running: Running[] = []
    beforeAll(async () => {
      notes = await notesDatabase()
    })
    afterAll(() => notes.stop())
    beforeEach(async () => {
      topic = `contract.${randomUUID()}.v1`
      transport = await makeTransport(topic)
      group = `group-${randomUUID()}`
    })
    afterEach(async () => {
      await Promise.all(running.splice(0).map((part) => part.stop()))
      await transport.stop()
    })

    const record = (id: bigint, changes?: Partial<UserEvent>) => recordOf(userEvent(id, changes), topic)
    const idOf = ({ payload }: EventRecord) => UserEvent.decode(payload).id
    /** As a relay does it: again, until the transport has all of them. */
    const publish = async (records: readonly EventRecord[]): Promise<void> => {
      const left = await eventually(() => transport.publish(records), patient)
      const outcomes = await Promise.allSettled(left.map(({ handled }) => handled))
      const again = left.filter((_, index) => outcomes[index]?.status === 'rejected').map(({ record }) => record)
      if (again.length > 0) await publish(again)
    }
    const subscribe = async (handle: (record: EventRecord) => Promise<void>, options: { group?: string; broadcast?: boolean } = {}) => {
      const subscription = await transport.subscribe({ group, topics: [topic], handle, ...options })
      running.push(subscription)
      return subscription
    }
    const blocked = async () => (await notes.metrics.blockedEvents.get()).values.find(({ labels }) => labels.topic === topic)?.value
    const collect = async (options?: { group?: string; broadcast?: boolean }) => {
      const heard: EventRecord[] = []
      const subscription = await subscribe(async (record) => void heard.push(record), options)
      return { heard, subscription }
    }
    const consume = async (take: (event: UserEvent) => Promise<unknown>, others: Partial<ConsumerOptions> = {}) => {
      const user = { ...userTopic, name: topic }
      const consumers = [consumer(user, async (event) => void (await take(event)))]
      const options = { transport, group, consumers, db: notes.db, log, metrics: notes.metrics, backOffMs: [1, 1, 1, 1], ...others }
      running.push(await startConsumers(options))
      return consumers
    }

    it('bring the record as it was published', async () => {
      const { heard } = await collect()
      const made = record(2n ** 53n - 1n)
      const sent = { ...made, headers: { ce_id: made.id, traceparent: '00-1-2-01' } }
      await publish([sent])
      await eventually(() => expect(heard).toHaveLength(1))
      expect(heard[0]).toMatchObject({ topic, key: sent.key, id: sent.id, headers: sent.headers })
      expect(heard[0]?.time).toEqual(sent.time)
      expect(Buffer.from(heard[0]?.payload ?? []).equals(sent.payload)).toBe(true)
    })

    it('come in order for each key', async () => {
      const heard = new Map<string, bigint[]>()
      await subscribe(async (record) => {
        heard.set(record.key, [...(heard.get(record.key) ?? []), idOf(record)])
      })
      const keys = [1n, 2n, 3n, 4n, 5n]
      const records = Array.from({ length: 500 }, (_, index) => record(BigInt(index + 1), { customerId: BigInt((index % 5) + 1) }))
      for (let start = 0; start < 500; start += 50) await publish(records.slice(start, start + 50))
      await eventually(() => expect([...heard.values()].flat()).toHaveLength(500), patient)
      for (const key of keys) expect(heard.get(String(key))).toEqual(records.filter((sent) => sent.key === String(key)).map(idOf))
    })

    it('reach every group, and one copy of each', async () => {
      const copies = [await collect(), await collect()]
      const other = await collect({ group: `other-${group}` })
      await publish(Array.from({ length: 20 }, (_, index) => record(BigInt(index + 1), { customerId: BigInt(index + 1) })))
      await eventually(() => {
        expect(copies.flatMap(({ heard }) => heard.map(idOf))).toHaveLength(20)
        expect(other.heard).toHaveLength(20)
      }, patient)
    })

    it('come again when a handler fails, before those of their key after them', async () => {
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

    it('come again when a copy goes away in the middle of its work', async () => {
      const begun = Promise.withResolvers<void>()
      const dying = await subscribe(() => {
        begun.resolve()
        return new Promise<never>(() => {})
      })
      const published = publish([record(1n)])
      await begun.promise
      await dying.stop()
      const { heard } = await collect()
      await published
      await eventually(() => expect(heard.map(idOf)).toEqual([1n]), patient)
    })

    it('wait for a group that is away', async () => {
      const { subscription } = await collect()
      await subscription.stop()
      const published = publish([record(1n), record(2n)])
      const { heard } = await collect()
      await published
      await eventually(() => expect(heard.map(idOf)).toEqual([1n, 2n]), patient)
    })

    it('that are broadcast reach every copy, from now on, and no failure of one keeps them from the others', async () => {
      const early = await collect({ broadcast: true })
      await subscribe(() => Promise.reject(new Error('a broken copy')), { broadcast: true })
      await publish([record(1n)])
      await eventually(() => expect(early.heard.map(idOf)).toEqual([1n]))
      const late = await collect({ broadcast: true })
      await publish([record(2n)])
      await eventually(() => {
        expect(early.heard.map(idOf)).toEqual([1n, 2n])
        expect(late.heard.map(idOf)).toEqual([2n])
      })
      await late.subscription.stop()
      await publish([record(3n)])
      await eventually(() => expect(early.heard.map(idOf)).toEqual([1n, 2n, 3n]))
      expect(late.heard).toHaveLength(1)
    })

    it('with a poisonous one among 1,000 leave one dead letter and 999 effects, and the letter can be replayed', async () => {
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

    it('that meet a locked row are handled when it is free, in the order of their key, and hold back few others', async () => {
      const [mine, others] = [randomId(), Array.from({ length: 20 }, () => randomId())]
      const impatient = notes.open({ lockTimeoutMs: 20 })
      const tries = { mine: 0 }
      const handled: bigint[] = []
      const take = async (event: UserEvent) => {
        if (event.id === mine) tries.mine++
        await impatient.write(platform, (tx) => keepPerson(tx, event))
        handled.push(event.id)
      }
      await consume(take, { retryMs: { first: 1, most: 50 } })
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
      // Far more than an event that fails for good has; over Kafka, what shares its partition waits as well.
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

    it('whose handler takes longer than its time wait for its end, and it is never run beside itself', async () => {
      const leave = Promise.withResolvers<void>()
      const runs = { begun: 0, atOnce: 0, most: 0 }
      const take = async () => {
        runs.begun++
        runs.most = Math.max(runs.most, ++runs.atOnce)
        if (runs.begun === 1) await leave.promise
        runs.atOnce--
        if (runs.begun === 1) throw new Error('too late')
      }
      await consume(take, { tryTimeoutMs: 5, retryMs: { first: 1, most: 1 } })
      const published = publish([record(1n)])
      await eventually(async () => expect(await blocked()).toBe(1), patient)
      expect(runs.begun).toBe(1)
      leave.resolve()
      await published
      await eventually(() => expect(runs).toEqual({ begun: 2, atOnce: 0, most: 1 }), patient)
      await eventually(async () => expect(await blocked()).toBe(0))
      expect(await notes.rows('SELECT FROM kit.dead_letter WHERE topic = $1', [topic])).toEqual([])
    })

    it('that can be none become dead letters, which a replay does not bring to a consumer either, and the next is handled', async () => {
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

    it('that come three times and shuffled leave the same state', async () => {
      const first = randomId()
      await consume((event) => notes.db.write(platform, (tx) => keepPerson(tx, event)))
      const states = Array.from({ length: 10 }, (_, person) =>
        Array.from({ length: 10 }, (_, index) =>
          record(first + BigInt(person), { customerId: BigInt(person), lastname: `${person}.${index}`, revision: BigInt(index + 1) }),
        ),
      ).flat()
      // 7 has no common divisor with 300: each delivery gets a place of its own.
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
