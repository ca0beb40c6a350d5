import { randomUUID } from 'node:crypto'
import { platform } from '@caseway/kit/database'
import { limited, outcomeUnknown, unavailable } from '@caseway/kit/errors'
import { consumer, createDirectTransport, once, outbox } from '@caseway/kit/events'
import { requestContext } from '@caseway/kit/observability'
import { eventually } from '@caseway/testing'
import { untilWaiting } from '@caseway/testing/held-transaction'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { consumersOf, refuse } from '../support/consumers.js'
import { type Notes, notesDatabase } from '../support/notes.js'
import { recordOf, userEvent, userTopic } from '../support/people.js'

let notes: Notes
const { start, letters } = consumersOf(() => notes)
beforeAll(async () => {
  notes = await notesDatabase()
})
afterAll(() => notes.stop())
beforeEach(() => notes.rows('TRUNCATE kit.dead_letter, kit.inbox, kit.outbox'))

describe('a consumer', () => {
  it('gets the message and the metadata of the event', async () => {
    const received: unknown[] = []
    const { transport } = await start([consumer(userTopic, async (event, meta) => void received.push(event, meta))])
    const record = recordOf(userEvent(1n))
    await transport.publish([record])
    expect(received).toEqual([userEvent(1n), { id: record.id, time: record.time, key: '7' }])
  })

  it('is tried independently of other consumers of its topic', async () => {
    const received: string[] = []
    const receiving = (name: string) => consumer(userTopic, async () => void received.push(name), name)
    const { transport } = await start([receiving('one'), consumer(userTopic, refuse, 'broken'), receiving('other')])
    await transport.publish([recordOf(userEvent(1n))])
    expect(received).toEqual(['one', 'other'])
    expect(await letters()).toMatchObject([{ consumer: 'broken' }])
  })

  it('has five tries, then the event is a dead letter', async () => {
    let tries = 0
    const { transport } = await start([
      consumer(userTopic, async () => {
        throw new Error(`try ${++tries}`)
      }),
    ])
    const record = recordOf(userEvent(1n))
    await transport.publish([record])
    expect(tries).toBe(5)
    const letter = { consumer: 'auth.user.v1', topic: 'auth.user.v1', key: '7', event_id: record.id, error: 'Error: try 5' }
    expect(await letters()).toEqual([letter])
    await transport.publish([record])
    expect(await letters()).toEqual([{ ...letter, error: 'Error: try 10' }])
  })

  it('that cannot decode an event keeps it as a dead letter', async () => {
    const { transport } = await start([consumer(userTopic, async () => undefined)])
    await transport.publish([{ ...recordOf(userEvent(1n)), payload: Buffer.from([0xff]) }])
    expect(await letters()).toHaveLength(1)
  })

  it('that succeeds at a later try leaves no dead letter', async () => {
    let tries = 0
    const { transport } = await start([consumer(userTopic, async () => (++tries < 5 ? refuse() : undefined))])
    await transport.publish([recordOf(userEvent(1n))])
    expect(await letters()).toEqual([])
  })

  it('handles other keys while an event is blocked, which the metrics show', async () => {
    const received: bigint[] = []
    const leave = Promise.withResolvers<void>()
    const slow = consumer(userTopic, async ({ id }) => {
      if (id === 1n) await leave.promise
      received.push(id)
    })
    const { transport } = await start([slow], { transport: createDirectTransport({ handlingTimeoutMs: 20 }), tryTimeoutMs: 5 })
    const since = Date.now() / 1000
    const records = [1n, 2n, 3n].map((id) => recordOf(userEvent(id, { customerId: id % 2n })))
    const pending = await transport.publish(records)
    expect(pending.map(({ record }) => record.id)).toEqual([records[0]?.id, records[2]?.id])
    expect(received).toEqual([2n])
    await eventually(async () => expect((await notes.metrics.blockedEvents.get()).values).toMatchObject([{ value: 1 }]))
    const [shown] = (await notes.metrics.blockedSince.get()).values
    expect(shown?.value).toBeGreaterThan(since - 0.01)
    leave.resolve()
    await Promise.all(pending.map(({ handled }) => handled))
    expect(received).toEqual([2n, 1n, 3n])
    expect((await notes.metrics.blockedEvents.get()).values).toMatchObject([{ value: 0 }])
    expect((await notes.metrics.blockedSince.get()).values).toEqual([])
  })

  it.each([
    ['a service that does not answer', () => unavailable(new Error('connect ECONNREFUSED'))],
    ['a COMMIT that was not answered', () => outcomeUnknown(new Error('Connection terminated unexpectedly'))],
    ['an exceeded rate limit', () => limited(1)],
    ['a lock timeout of PostgreSQL', () => Object.assign(new Error('lock timeout'), { code: '55P03' })],
    [
      'an error with that of a socket as its cause',
      () => new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNRESET' }) }),
    ],
  ])('is tried again without limit after %s', async (_, failure) => {
    let tries = 0
    const { transport } = await start([
      consumer(userTopic, async () => {
        if (++tries < 12) throw failure()
      }),
    ])
    await Promise.all((await transport.publish([recordOf(userEvent(1n))])).map(({ handled }) => handled))
    expect([tries, await letters()]).toEqual([12, []])
  })

  it('counts only permanent errors as one of the five tries', async () => {
    let tries = 0
    const { transport } = await start([
      consumer(userTopic, async () => {
        throw ++tries % 2 ? unavailable() : new Error(`try ${tries}`)
      }),
    ])
    await Promise.all((await transport.publish([recordOf(userEvent(1n))])).map(({ handled }) => handled))
    expect(tries).toBe(10)
    expect(await letters()).toMatchObject([{ error: 'Error: try 10' }])
  })

  it('that is stopped between two tries gets the event again', async () => {
    const failed = Promise.withResolvers<void>()
    const broken = consumer(userTopic, () => {
      failed.resolve()
      return refuse()
    })
    const { transport, running } = await start([broken], { backOffMs: [60_000] })
    const published = transport.publish([recordOf(userEvent(1n))])
    await failed.promise
    await Promise.all([running.stop(), expect(published).rejects.toThrow(/abort/)])
    expect(await letters()).toEqual([])
  })

  it('whose dead letter cannot be stored gets the event again', async () => {
    const closed = notes.open()
    await closed.close()
    const { transport } = await start([consumer(userTopic, refuse)], { db: closed })
    await expect(transport.publish([recordOf(userEvent(1n))])).rejects.toMatchObject({ kind: 'unavailable' })
  })

  it('runs in a request context, with a deadline and the trace of the event', async () => {
    const traceparent = '00-trace-span-01'
    const deadlines: (number | undefined)[] = []
    const { transport } = await start([
      consumer(userTopic, async (event) => {
        deadlines.push(requestContext.get()?.deadline)
        await notes.db.write(platform, (tx) => outbox(tx, userTopic, event))
      }),
    ])
    const record = recordOf(userEvent(1n))
    await transport.publish([{ ...record, headers: { ...record.headers, traceparent } }])
    expect(await notes.rows('SELECT headers FROM kit.outbox')).toEqual([{ headers: { traceparent } }])
    expect(deadlines[0]).toBeGreaterThan(Date.now())
  })

  it('has an effect once with `once`, however often the event is delivered', async () => {
    let effects = 0
    const { transport } = await start([
      consumer(userTopic, (_, { id }) =>
        notes.db.write(platform, async (tx) => {
          if (await once(tx, 'welcome-mail', id)) effects++
        }),
      ),
    ])
    const [record, another] = [recordOf(userEvent(1n)), recordOf(userEvent(1n))]
    await transport.publish([record, record, another, record])
    expect(effects).toBe(2)
    expect(await letters()).toEqual([])
  })
})

describe('an effect with `once`', () => {
  it('waits for a concurrent delivery, and happens only if that one fails', async () => {
    const other = notes.open()
    for (const fails of [false, true]) {
      const id = randomUUID()
      const begun = Promise.withResolvers<void>()
      const leave = Promise.withResolvers<void>()
      const first = notes.db.write(platform, async (tx) => {
        const mine = await once(tx, 'mail', id)
        begun.resolve()
        await leave.promise
        if (fails) throw new Error('changed my mind')
        return mine
      })
      await begun.promise
      const second = other.write(platform, (tx) => once(tx, 'mail', id))
      await untilWaiting(notes, 1)
      leave.resolve()
      expect(await first.catch((error: Error) => error.message)).toBe(fails ? 'changed my mind' : true)
      expect(await second).toBe(fails)
    }
  })
})

describe('consumers', () => {
  it('of one service must have different names', async () => {
    const twice = [consumer(userTopic, refuse), consumer(userTopic, refuse)]
    await expect(start(twice)).rejects.toThrow('Two consumers have the same name.')
  })

  it('need a database for dead letters, unless they subscribe to a broadcast', async () => {
    await expect(start([consumer(userTopic, refuse)], { db: undefined })).rejects.toThrow(/need a database/)
    const received: bigint[] = []
    const listen = consumer(userTopic, async ({ id }) => (id === 1n ? refuse() : void received.push(id)))
    const { transport, running } = await start([listen], { db: undefined, broadcast: true })
    await transport.publish([recordOf(userEvent(1n)), recordOf(userEvent(2n))])
    await eventually(() => expect(received).toEqual([2n]))
    await running.stop()
  })
})
