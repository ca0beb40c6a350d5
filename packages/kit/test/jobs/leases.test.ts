import { eventually } from '@caseway/testing'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { defineJob, handleJob } from '../../src/jobs/index.js'
import { type Phase, phases, steps, stepsJob } from './support/steps.js'
import { gate, jobsWorld, type World } from './support/world.js'

const leaseMs = 900
const soon = { timeoutMs: 15_000 }

describe('leases', () => {
  let world: World
  beforeEach(async () => {
    world = await jobsWorld()
  })
  afterEach(() => world.stop())

  /** Adds a job, and starts a process that has reached `phase` with it. */
  const childAt = async (phase: Phase, settings: Parameters<World['child']>[1], skewMs?: number) => {
    const child = world.child(phase, settings, skewMs)
    await world.add(stepsJob(settings), null)
    await eventually(() => expect(child.printed).toContain('reached'), soon)
    return child
  }

  describe('a process that is killed', () => {
    it.each(phases)('%s: another worker finishes the job, and each effect is there once', async (phase) => {
      const child = await childAt(phase, { leaseMs })
      child.signal('SIGKILL')
      world.work(
        handleJob(
          stepsJob({ leaseMs }),
          steps(() => undefined),
        ),
      )
      await eventually(async () => expect(await world.effects()).toEqual(['first', 'second', 'last']), soon)
      await eventually(async () => expect(await world.state('steps')).toEqual({}), soon)
    })

    it('after the point of no return leaves a job that is uncertain and does not run again', async () => {
      const settings = { leaseMs, onLost: 'uncertain' } as const
      const child = await childAt('at the point of no return', settings)
      child.signal('SIGKILL')
      let runs = 0
      world.work(handleJob(stepsJob(settings), async () => void runs++))
      await eventually(async () => expect(await world.state('steps')).toEqual({ uncertain: 1 }), soon)
      expect(runs).toBe(0)
      expect(await world.effects()).toEqual(['first', 'second'])
    })

    it('before the point of no return leaves a job that runs again', async () => {
      const settings = { leaseMs, onLost: 'uncertain' } as const
      const child = await childAt('after a checkpoint', settings)
      child.signal('SIGKILL')
      world.work(
        handleJob(
          stepsJob(settings),
          steps(() => undefined),
        ),
      )
      await eventually(async () => expect(await world.effects()).toEqual(['first', 'second', 'last']), soon)
    })

    it('counts as a try, so that a job that kills its process is not repeated for ever', async () => {
      const settings = { leaseMs, tries: 1 }
      const child = await childAt('begun', settings)
      child.signal('SIGKILL')
      world.work(
        handleJob(
          stepsJob(settings),
          steps(() => undefined),
        ),
      )
      await eventually(async () => expect(await world.state('steps')).toEqual({ failed: 1 }), soon)
    })
  })

  describe('a process that hangs longer than its lease', () => {
    it.each(['begun', 'after a checkpoint', 'at the point of no return'] as const)(
      '%s: writes nothing when it continues',
      async (phase) => {
        const child = await childAt(phase, { leaseMs })
        child.signal('SIGSTOP')
        const done = gate()
        world.work(
          handleJob(
            stepsJob({ leaseMs }),
            steps((reached) => reached === 'after the end' && done.resolve()),
          ),
        )
        await done.promise
        child.goOn()
        child.signal('SIGCONT')
        await eventually(() => expect(child.printed).toContain('rejected LeaseLost'), soon)
        expect(await world.effects()).toEqual(['first', 'second', 'last'])
      },
    )

    it('has its signal aborted, because the lease is lost', async () => {
      const child = await childAt('begun', { leaseMs })
      child.signal('SIGSTOP')
      const begun = gate()
      const end = gate()
      world.work(
        handleJob(stepsJob({ leaseMs }), async () => {
          begun.resolve()
          await end.promise
        }),
      )
      await begun.promise
      child.signal('SIGCONT')
      await eventually(() => expect(child.printed).toContain('aborted'), soon)
      end.resolve()
    })
  })

  it('a lease is renewed until the work ends', async () => {
    const job = defineJob({ name: 'long', leaseMs: 300 })
    let runs = 0
    const end = gate()
    const handler = handleJob(job, async (run) => {
      runs++
      await end.promise
      await run.checkpoint(1)
    })
    world.work(handler)
    world.work(handler)
    await world.add(job, null)
    await eventually(() => expect(runs).toBe(1))
    const [{ at } = { at: new Date() }] = await world.notes.rows<{ at: Date }>(`SELECT now() AS at`)
    await eventually(async () => {
      const [row] = await world.notes.rows<{ over: boolean }>(`SELECT now() > $1::timestamptz + interval '1500 ms' AS over`, [at])
      expect(row?.over).toBe(true)
    })
    end.resolve()
    await eventually(async () => expect(await world.state('long')).toEqual({}))
    expect(runs).toBe(1)
  })

  it.each([-86_400_000, 86_400_000])('a clock that is wrong by %d ms steals no lease and runs nothing early', async (skewMs) => {
    const settings = { leaseMs: 3000 }
    const begun = gate()
    const end = gate()
    let runs = 0
    world.work(
      handleJob(stepsJob(settings), async () => {
        runs++
        begun.resolve()
        await end.promise
      }),
    )
    await world.add(stepsJob(settings), null)
    await begun.promise
    const child = world.child('begun', settings, skewMs)
    const askedAt = performance.now()
    await world.add(stepsJob(settings), null, { runAt: new Date(Date.now() + 1500) })
    await eventually(() => expect(child.printed.length + runs).toBe(2), soon)
    expect(performance.now() - askedAt).toBeGreaterThan(1400)
    await eventually(async () => expect((await world.state('steps')).running).toBe(2), soon)
    end.resolve()
  })

  describe('a worker that stops', () => {
    it('waits for running jobs, and claims nothing more', async () => {
      const job = defineJob<number>({ name: 'short' })
      const begun = gate()
      const end = gate()
      const ran: number[] = []
      const worker = world.work(
        handleJob(
          job,
          async ({ payload }) => {
            begun.resolve()
            await end.promise
            ran.push(payload)
          },
          { concurrency: 1 },
        ),
      )
      await world.add(job, 1)
      await world.add(job, 2)
      await begun.promise
      const stopped = worker.stop()
      end.resolve()
      await stopped
      expect(ran).toEqual([1])
      expect(await world.state('short')).toEqual({ ready: 1 })
    })

    it('releases a job that ends on its signal: another worker continues it at once from its checkpoint, and the run does not count as a try', async () => {
      const job = defineJob({ name: 'long', retry: { tries: 1 } })
      const begun = gate()
      const worker = world.work(
        handleJob(job, async (run) => {
          await run.checkpoint('half')
          begun.resolve()
          await new Promise((_, reject) => run.signal.addEventListener('abort', () => reject(run.signal.reason)))
        }),
        { graceMs: 50 },
      )
      await world.add(job, null)
      await begun.promise
      await worker.stop()
      const seen = gate()
      let cursor: unknown
      world.work(
        handleJob(job, async (run) => {
          cursor = run.cursor
          expect(run.tries).toBe(1)
          seen.resolve()
        }),
      )
      await seen.promise
      expect(cursor).toBe('half')
    })
  })
})
