import { eventually, randomId } from '@caseway/testing'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { office, type Scope } from '../../src/database/index.js'
import { defineJob, enqueue, enqueueAll, handleJob, type Run } from '../../src/jobs/index.js'
import { requestContext } from '../../src/observability/index.js'
import type { PrismaClient } from '../support/src/generated/client.js'
import { gate, jobsWorld, type World } from './support/world.js'

/** So long that a worker finds jobs by notifications only. */
const neverPoll = 60_000

describe('enqueueing', () => {
  const job = defineJob<string>({ name: 'noted' })
  let world: World
  let ran: string[]
  beforeEach(async () => {
    world = await jobsWorld()
    ran = []
  })
  afterEach(() => world.stop())

  const keep = async ({ payload }: Run<string>) => void ran.push(payload)

  it('a job begins with the commit that enqueued it, without a poll', async () => {
    world.work(handleJob(job, keep), { pollMs: neverPoll })
    await eventually(async () =>
      expect(
        await world.notes.rows("SELECT FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND datname = current_database()"),
      ).not.toEqual([]),
    )
    await world.add(job, 'one')
    await eventually(() => expect(ran).toEqual(['one']))
  })

  it('several jobs are enqueued at once, each with its own options', async () => {
    await world.notes.db.write(office(randomId()), async (tx) => {
      await enqueueAll(tx, job, [])
      const later = new Date(Date.now() + 3_600_000)
      await enqueueAll(tx, job, [{ payload: 'one' }, { payload: 'two', dedupe: 'two', priority: 3 }, { payload: 'later', runAt: later }])
      await enqueueAll(tx, job, [{ payload: 'another', dedupe: 'two', priority: 5 }])
    })
    world.work(handleJob(job, keep))
    await eventually(() => expect(ran.toSorted()).toEqual(['one', 'two']))
    expect(await world.notes.rows("SELECT payload, priority FROM kit.job WHERE state = 'waiting'")).toEqual([
      { payload: 'later', priority: 0 },
    ])
  })

  it('a delay is counted by the clock of the database', async () => {
    const planned = await world.notes.db.write(office(randomId()), async (tx) => {
      await enqueue(tx, job, 'delayed', { delayMs: 90_000 })
      return tx.$queryRaw`SELECT extract(epoch FROM run_at - now())::int AS seconds, state FROM kit.job`
    })
    expect(planned).toEqual([{ seconds: 90, state: 'waiting' }])
  })

  it('a job whose notification was lost is found by the next poll', async () => {
    const deaf = { ...world.notes.open(), listen: async () => ({ stop: async () => undefined }) }
    world.work(handleJob(job, keep), { db: deaf })
    await eventually(async () => expect(await world.state('noted')).toEqual({}))
    await world.add(job, 'one')
    await eventually(() => expect(ran).toEqual(['one']))
  })

  it('a worker polls at a third of the rate while no job is expected', async () => {
    const db = world.notes.open()
    let looks = 0
    const query: typeof db.query = (scope, statement) => {
      if (statement.sql.includes('"nextMs"')) looks += 1
      return db.query(scope, statement)
    }
    world.work(handleJob(job, keep), { db: { ...db, query }, pollMs: 50 })
    await eventually(() => expect(looks).toBe(1), { everyMs: 1 })
    const since = performance.now()
    await eventually(() => expect(looks).toBe(5))
    expect(performance.now() - since).toBeGreaterThan(4 * 3 * 50 - 20)
  })

  it('a delayed job that is enqueued while the worker expects none begins within `pollMs` of its time', async () => {
    const pollMs = 1_000
    world.work(handleJob(job, keep), { pollMs })
    await world.add(job, 'one')
    await eventually(() => expect(ran).toEqual(['one']))
    const since = performance.now()
    await world.add(job, 'two', { runAt: new Date(Date.now() + 100) })
    await eventually(() => expect(ran).toEqual(['one', 'two']))
    expect(performance.now() - since).toBeLessThan(2 * pollMs)
  })

  it('a job of a transaction that was rolled back never runs', async () => {
    const undone = world.notes.db.write({ platform: true }, async (tx) => {
      await enqueue(tx, job, 'undone')
      throw new Error('Undone.')
    })
    await expect(undone).rejects.toThrow('Undone.')
    await world.add(job, 'kept')
    world.work(handleJob(job, keep, { concurrency: 1 }))
    await eventually(async () => expect(await world.state('noted')).toEqual({}))
    expect(ran).toEqual(['kept'])
  })

  it('does not run before its transaction has ended', async () => {
    world.work(handleJob(job, keep))
    await world.notes.db.write({ platform: true }, async (tx) => {
      await enqueue(tx, job, 'late')
      await world.add(job, 'at once')
      await eventually(() => expect(ran).toEqual(['at once']))
    })
    await eventually(() => expect(ran).toEqual(['at once', 'late']))
  })

  it('runs in the scope of the transaction that enqueued it, under row-level security', async () => {
    const [mine, other, client] = [randomId(), randomId(), randomId()]
    for (const customerId of [mine, other]) {
      await world.notes.db.write(office(customerId), (tx) =>
        tx.note.create({ data: { customerId, clientId: client, title: String(customerId) } }),
      )
    }
    const seen = new Map<string, { scope: Scope; titles: string[] }>()
    const look = handleJob<string, PrismaClient>(job, async (run) => {
      const titles = await run.checkpoint(1, async (tx) => (await tx.note.findMany({ orderBy: { id: 'asc' } })).map(({ title }) => title))
      seen.set(run.payload, { scope: run.scope, titles })
    })
    await world.add(job, 'office', {}, office(mine))
    await world.add(job, 'client', {}, { clientId: client })
    await world.add(job, 'platform')
    world.work(look)
    await eventually(() => expect(seen.size).toBe(3))
    expect(seen.get('office')).toEqual({ scope: { customerId: mine }, titles: [String(mine)] })
    expect(seen.get('client')).toEqual({ scope: { clientId: client }, titles: [String(mine), String(other)] })
    expect(seen.get('platform')).toEqual({ scope: { platform: true }, titles: [String(mine), String(other)] })
  })

  it('cannot write for another office', async () => {
    const [mine, other] = [randomId(), randomId()]
    const failed = gate()
    const job = defineJob({ name: 'stranger', retry: { tries: 1 } })
    world.work(
      handleJob<null, PrismaClient>(job, async (run) => {
        await run
          .finish((tx) => tx.note.create({ data: { customerId: other, title: 'foreign' } }))
          .catch((error) => {
            failed.resolve()
            throw error
          })
      }),
    )
    await world.add(job, null, {}, office(mine))
    await failed.promise
    await eventually(async () => expect(await world.state('stranger')).toEqual({ failed: 1 }))
    expect(await world.notes.rows('SELECT FROM notes')).toEqual([])
  })

  it('belongs to the trace of the request that enqueued it', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    let traced: string | undefined
    world.work(
      handleJob(job, async () => {
        traced = requestContext.get()?.traceparent
      }),
    )
    const context = { requestId: 'r', deadline: Number.POSITIVE_INFINITY, traceparent }
    await requestContext.run(context, () => world.add(job, 'one'))
    await eventually(() => expect(traced).toBe(traceparent))
  })

  it('a delayed job does not run before its time', async () => {
    world.work(handleJob(job, keep))
    const [{ soon } = { soon: new Date() }] = await world.notes.rows<{ soon: Date }>("SELECT now() + interval '1 second' AS soon")
    await world.add(job, 'later', { runAt: soon })
    await world.add(job, 'now', { runAt: new Date(Number(soon) - 60_000) })
    await eventually(() => expect(ran).toEqual(['now']))
    await eventually(() => expect(ran).toEqual(['now', 'later']))
    const [row] = await world.notes.rows<{ after: boolean }>('SELECT now() >= $1 AS after', [soon])
    expect(row?.after).toBe(true)
  })

  it('jobs of one office run by priority, then in the order in which they were enqueued', async () => {
    for (const [what, priority] of [
      ['c', 0],
      ['d', 0],
      ['a', 5],
      ['e', -5],
      ['b', 5],
    ] as const)
      await world.add(job, what, { priority })
    world.work(handleJob(job, keep, { concurrency: 1 }))
    await eventually(() => expect(ran).toEqual(['a', 'b', 'c', 'd', 'e']))
  })

  describe('with dedupe', () => {
    it('there is one job that has not begun, with the first payload, the earlier time and the higher priority', async () => {
      await world.add(job, 'other', { priority: 1 })
      await world.add(job, 'first', { dedupe: 'x', runAt: new Date(Date.now() + 3_600_000) })
      await world.add(job, 'second', { dedupe: 'x', priority: 2 })
      await world.add(job, 'third', { dedupe: 'x', runAt: new Date(Date.now() + 3_600_000) })
      world.work(handleJob(job, keep, { concurrency: 1 }))
      await eventually(async () => expect(await world.state('noted')).toEqual({}))
      expect(ran).toEqual(['first', 'other'])
    })

    it('a job begins at the earlier of two future times', async () => {
      await world.add(job, 'first', { dedupe: 'x', runAt: new Date(Date.now() + 3_600_000) })
      await world.add(job, 'second', { dedupe: 'x', runAt: new Date(Date.now() + 100) })
      world.work(handleJob(job, keep))
      await eventually(async () => expect(await world.state('noted')).toEqual({}))
      expect(ran).toEqual(['first'])
    })

    it('a job that has begun does not replace one that is enqueued later', async () => {
      const begun = gate()
      const end = gate()
      world.work(
        handleJob(job, async (run) => {
          await keep(run)
          begun.resolve()
          await end.promise
        }),
      )
      await world.add(job, 'first', { dedupe: 'x' })
      await begun.promise
      await world.add(job, 'second', { dedupe: 'x' })
      await eventually(() => expect(ran).toEqual(['first', 'second']))
      end.resolve()
    })

    it('a job does not begin before a transaction that enqueues it again has ended, so that it sees the writes of that', async () => {
      await world.add(job, 'first', { dedupe: 'x' })
      const seen: string[][] = []
      await world.notes.db.write({ platform: true }, async (tx) => {
        await tx.$executeRawUnsafe("INSERT INTO effects VALUES ('written')")
        await enqueue(tx, job, 'second', { dedupe: 'x' })
        world.work(
          handleJob(job, async (run) => {
            if (run.payload === 'first') seen.push(await world.effects())
            await keep(run)
          }),
        )
        await world.add(job, 'beside')
        await eventually(() => expect(ran).toEqual(['beside']))
      })
      await eventually(() => expect(ran).toEqual(['beside', 'first']))
      expect(seen).toEqual([['written']])
    })
  })
})
