import { eventually } from '@caseway/testing'
import { holdTransaction } from '@caseway/testing/held-transaction'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { office } from '../../src/database/index.js'
import { defineJob, enqueueAll, handleJob, type Run } from '../../src/jobs/index.js'
import type { Notes } from '../support/notes.js'
import { gate, jobsWorld, type World } from './support/world.js'

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index)

describe('a worker that never polls', () => {
  const noPoll = { pollMs: 3_600_000 }
  const noNotification: Notes['db']['listen'] = async () => ({ stop: async () => undefined })
  const job = defineJob<string>({ name: 'unpolled' })
  let world: World
  beforeEach(async () => {
    world = await jobsWorld()
  })
  afterEach(() => world.stop())

  /** Enqueues jobs of an office in one transaction. */
  const addAll = (payloads: readonly string[], customerId: bigint) =>
    world.notes.db.write(office(customerId), (tx) =>
      enqueueAll(
        tx,
        job,
        payloads.map((payload) => ({ payload })),
      ),
    )

  /** Starts a worker that finds jobs by its own claims only. */
  const workAlone = (handler: Parameters<World['work']>[0]) =>
    world.work(handler, { db: { ...world.notes.open(), listen: noNotification }, ...noPoll })

  it('jobs of which a claim has read only a part are claimed as well', async () => {
    await addAll(upTo(30).map(String), 1n)
    await addAll(['one'], 2n)
    const ran: string[] = []
    workAlone(handleJob(job, async ({ payload }) => void ran.push(payload), { concurrency: 8 }))
    await eventually(() => expect(ran).toHaveLength(31))
  })

  it('jobs for which there was no slot run as soon as one is free', async () => {
    await addAll(['1', '2', '3'], 1n)
    const end = gate()
    const ran: string[] = []
    const work = async ({ payload }: Run<string>) => {
      ran.push(payload)
      if (payload === '1') await end.promise
    }
    workAlone(handleJob(job, work, { concurrency: 2 }))
    await eventually(() => expect(ran).toEqual(['1']))
    end.resolve()
    await eventually(() => expect(ran).toEqual(['1', '2', '3']))
  })

  it('the next job of a key runs when the one before has ended', async () => {
    const keyed = defineJob<{ nth: number }>({ name: 'unpolled-key', key: () => 'a', retry: { tries: 1 } })
    for (const nth of upTo(4)) await world.add(keyed, { nth })
    const ran: number[] = []
    const work = async ({ payload: { nth } }: Run<{ nth: number }>) => {
      ran.push(nth)
      if (nth === 1) throw new Error('No.')
    }
    workAlone(handleJob(keyed, work))
    await eventually(() => expect(ran).toEqual(upTo(4)))
  })

  it('the next job of a key runs as well if a claim of another worker has left it ready', async () => {
    const keyed = defineJob<{ nth: number }>({ name: 'unpolled-ready', key: () => 'a' })
    for (const nth of upTo(2)) await world.add(keyed, { nth })
    const ran: number[] = []
    const begun = gate()
    const end = gate()
    const work = async ({ payload: { nth } }: Run<{ nth: number }>) => {
      ran.push(nth)
      begun.resolve()
      await end.promise
    }
    const other = await holdTransaction(world.notes, 'SELECT FROM kit.job WHERE payload = \'{"nth": 1}\' FOR UPDATE')
    workAlone(handleJob(keyed, work))
    await begun.promise
    await other.commit()
    end.resolve()
    await eventually(() => expect(ran).toEqual(upTo(2)))
  })

  it('a job that is enqueued during a claim is claimed as well', async () => {
    const db = world.notes.open()
    const claimed = gate()
    const notified = gate()
    let notify: (name: string) => void = () => undefined
    const write: typeof db.write = async (...claim) => {
      const result = await db.write(...claim)
      claimed.resolve()
      await notified.promise
      return result
    }
    const listen: typeof db.listen = async (channel, listener) => {
      if (typeof listener !== 'function') notify = listener.onPayload
      return noNotification(channel, listener)
    }
    const ran: string[] = []
    world.work(
      handleJob(job, async ({ payload }) => void ran.push(payload)),
      { db: { ...db, write, listen }, ...noPoll },
    )
    await claimed.promise
    await world.add(job, 'late')
    notify(job.name)
    notified.resolve()
    await eventually(() => expect(ran).toEqual(['late']))
  })

  it('a worker claims a new job once, and looks for no other one', async () => {
    const db = world.notes.open()
    const claims: unknown[] = []
    const query: typeof db.query = (scope, statement) => {
      if (statement.sql?.includes('RECURSIVE turn')) claims.push(statement)
      return db.query(scope, statement)
    }
    const ran: string[] = []
    world.work(
      handleJob(job, async ({ payload }) => void ran.push(payload)),
      { db: { ...db, query }, ...noPoll },
    )
    await eventually(() => expect(claims).toHaveLength(1))
    for (const nth of ['1', '2', '3']) {
      await world.add(job, nth)
      await eventually(async () => expect(await world.state('unpolled')).toEqual({}))
    }
    expect(ran).toEqual(['1', '2', '3'])
    expect(claims).toHaveLength(4)
  })
})
