import { eventually } from '@caseway/testing'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { unavailable } from '../../src/errors/index.js'
import { defineJob, handleJob, type Run, schedule } from '../../src/jobs/index.js'
import type { PrismaClient } from '../support/src/generated/client.js'
import { jobsWorld, type World } from './support/world.js'

const retry = { tries: 3, firstMs: 10 }

describe('runs that fail', () => {
  let world: World
  beforeEach(async () => {
    world = await jobsWorld()
  })
  afterEach(() => world.stop())

  const outcomes = async (worker: ReturnType<World['work']>) =>
    Object.fromEntries((await worker.metrics.jobRuns.get()).values.map(({ labels, value }) => [labels.outcome, value]))

  it('a job that fails has all of its tries, then it has failed, and other jobs run meanwhile', async () => {
    const job = defineJob<string>({ name: 'poison', retry })
    const ran: string[] = []
    const worker = world.work(
      handleJob(job, async ({ payload, tries }: Run<string>) => {
        ran.push(`${payload} ${tries}`)
        if (payload === 'poison') throw new Error('No.')
      }),
    )
    await world.add(job, 'poison')
    await world.add(job, 'good')
    await eventually(async () => expect(await world.state('poison')).toEqual({ failed: 1 }))
    expect(ran.sort()).toEqual(['good 1', 'poison 1', 'poison 2', 'poison 3'])
    await eventually(async () => expect(await outcomes(worker)).toEqual({ finished: 1, waiting: 2, failed: 1 }))
  })

  it('a temporary error is retried without limit and does not count as a try', async () => {
    const job = defineJob({ name: 'away', retry: { ...retry, maxMs: 20 } })
    let runs = 0
    const counted: number[] = []
    world.work(
      handleJob(job, async ({ tries }) => {
        counted.push(tries)
        if (++runs <= 8) throw unavailable()
        if (runs <= 10) throw new Error('No.')
      }),
    )
    await world.add(job, null)
    await eventually(() => expect(runs).toBe(11), { timeoutMs: 15_000 })
    await eventually(async () => expect(await world.state('away')).toEqual({}))
    expect(counted).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3])
  })

  it('pauses grow from try to try', async () => {
    const job = defineJob({ name: 'slower', retry: { tries: 3, firstMs: 200 } })
    const at: number[] = []
    world.work(
      handleJob(job, async () => {
        at.push(performance.now())
        throw new Error('No.')
      }),
      { pollMs: 10 },
    )
    await world.add(job, null)
    await eventually(() => expect(at).toHaveLength(3))
    const [first = 0, second = 0, third = 0] = at
    expect(second - first).toBeGreaterThan(190)
    expect(third - second).toBeGreaterThan(390)
  })

  it('work can end its run with a final failure, or with a pause before the next try', async () => {
    const job = defineJob<string>({ name: 'noted', retry: { tries: 2, firstMs: 3_600_000 } })
    const ran: string[] = []
    world.work(
      handleJob(job, async (run: Run<string>) => {
        ran.push(run.payload)
        await run.fail(new Error('No.'), run.payload === 'final' ? { retry: false } : { afterMs: 10 })
      }),
    )
    await world.add(job, 'final')
    await eventually(async () => expect(await world.state('noted')).toEqual({ failed: 1 }))
    await world.add(job, 'again')
    await eventually(async () => expect(await world.state('noted')).toEqual({ failed: 2 }))
    expect(ran).toEqual(['final', 'again', 'again'])
  })

  it('a checkpoint commits its effect and the cursor together, or neither', async () => {
    const job = defineJob({ name: 'cursor', retry })
    const cursors: unknown[] = []
    world.work(
      handleJob<null, PrismaClient>(job, async (run) => {
        cursors.push(run.cursor)
        if (run.tries === 1)
          await run.checkpoint({ at: 1 }, async (tx) => void (await tx.$executeRawUnsafe("INSERT INTO effects VALUES ('one')")))
        if (run.tries < 3) {
          await run.checkpoint({ at: 2 }, async (tx) => {
            await tx.$executeRawUnsafe("INSERT INTO effects VALUES ('two')")
            throw new Error('No.')
          })
        }
      }),
    )
    await world.add(job, null)
    await eventually(async () => expect(await world.state('cursor')).toEqual({}))
    await eventually(() => expect(cursors).toEqual([null, { at: 1 }, { at: 1 }]))
    expect(await world.effects()).toEqual(['one'])
  })

  describe('past the point of no return', () => {
    const job = defineJob<string>({ name: 'point', onLost: 'uncertain', retry })

    it('the job is uncertain when its work throws any error', async () => {
      let runs = 0
      world.work(
        handleJob(job, async (run: Run<string>) => {
          runs++
          await run.pointOfNoReturn()
          throw run.payload === 'unavailable' ? unavailable() : new Error('No.')
        }),
      )
      await world.add(job, 'unavailable')
      await world.add(job, 'error')
      await eventually(async () => expect(await world.state('point')).toEqual({ uncertain: 2 }))
      expect(runs).toBe(2)
    })

    it('work that knows the outcome can have the job retried', async () => {
      let runs = 0
      world.work(
        handleJob(job, async (run: Run<string>) => {
          runs++
          if (runs === 2) throw new Error('Before the point.')
          await run.pointOfNoReturn()
          if (runs === 1) await run.fail(new Error('Refused.'), { afterMs: 0 })
        }),
      )
      await world.add(job, 'one')
      await eventually(async () => expect(await world.state('point')).toEqual({}))
      expect(runs).toBe(3)
    })
  })

  it('the metrics have the number of jobs by state, and the age of the oldest', async () => {
    const job = defineJob<string>({ name: 'shown', retry: { tries: 1 } })
    const hour = 3_600_000
    await world.add(job, 'old', { runAt: new Date(Date.now() - 2 * hour) })
    await world.add(job, 'later', { runAt: new Date(Date.now() + hour) })
    const idle = world.work(handleJob(job, async () => undefined, { concurrency: 0 }))
    await eventually(async () => {
      const states = (await idle.metrics.jobs.get()).values.filter(({ value }) => value > 0)
      expect(states.map(({ labels, value }) => [labels.job_name, labels.state, value])).toEqual([
        ['shown', 'waiting', 1],
        ['shown', 'ready', 1],
      ])
      const [oldest] = (await idle.metrics.jobsOldestDue.get()).values
      expect(oldest?.value).toBeGreaterThan(7199)
      expect(oldest?.value).toBeLessThan(7260)
    })
  })

  it('a schedule ticks once over all copies, and missed ticks result in one job', async () => {
    const job = defineJob({ name: 'tick' })
    let runs = 0
    const handler = handleJob(job, async () => void runs++, { schedule: schedule('all 300 ms', { every: 300 }, job) })
    const beganAt = performance.now()
    const copies = [1, 2, 3].map(() => world.work(handler, { pollMs: 20 }))
    await eventually(() => expect(runs).toBeGreaterThanOrEqual(4), { everyMs: 5 })
    expect(runs).toBeLessThanOrEqual(1 + Math.floor((performance.now() - beganAt) / 300))
    await Promise.all(copies.map((copy) => copy.stop()))
    await eventually(async () => {
      const [row] = await world.notes.rows<{ missed: boolean }>("SELECT next < now() - interval '700 ms' AS missed FROM kit.schedule")
      expect(row?.missed).toBe(true)
    })
    const before = runs
    world.work(handler, { pollMs: 10 })
    await eventually(() => expect(runs).toBe(before + 1), { everyMs: 5 })
    const [row] = await world.notes.rows<{ ahead: boolean }>('SELECT next > now() AS ahead FROM kit.schedule')
    expect(row?.ahead).toBe(true)
  })
})
