import { eventually } from '@caseway/testing'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { office, platform } from '../../src/database/index.js'
import { defineJob, enqueue, handleJob, type Run } from '../../src/jobs/index.js'
import { gate, jobsWorld, type World } from './support/world.js'

/** The number of jobs in the test of fairness; `JOBS=10000` for the full test. */
const jobs = Number(process.env.JOBS ?? 1000)
const long = { timeoutMs: 120_000 }

describe('claims', () => {
  let world: World
  beforeEach(async () => {
    world = await jobsWorld()
  })
  afterEach(() => world.stop())

  /** Enqueues many jobs in one transaction. */
  const addAll = async <T>(job: ReturnType<typeof defineJob<T>>, payloads: readonly T[], scope = platform) =>
    world.notes.db.write(scope, async (tx) => {
      await Promise.all(payloads.map((payload) => enqueue(tx, job, payload)))
    })
  const upTo = (count: number) => Array.from({ length: count }, (_, index) => index)

  it('two workers share the jobs, and each job runs once', async () => {
    const job = defineJob<number>({ name: 'shared' })
    const ran: string[] = []
    const by = (worker: string) => handleJob(job, async ({ payload }) => void ran.push(`${worker}${payload}`))
    world.work(by('a'))
    world.work(by('b'))
    await addAll(job, upTo(300))
    await eventually(() => expect(ran.length).toBe(300), long)
    expect(new Set(ran.map((one) => one.slice(1))).size).toBe(300)
    expect(new Set(ran.map((one) => one[0])).size).toBe(2)
  })

  it('at most as many jobs of a kind run at a time as its concurrency', async () => {
    const job = defineJob<number>({ name: 'bounded' })
    let running = 0
    let most = 0
    let done = 0
    const full = gate()
    world.work(
      handleJob(
        job,
        async () => {
          most = Math.max(most, ++running)
          if (running === 3) full.resolve()
          await full.promise
          await new Promise(setImmediate)
          running--
          done++
        },
        { concurrency: 3 },
      ),
    )
    await addAll(job, upTo(60))
    await eventually(() => expect(done).toBe(60))
    expect(most).toBe(3)
  })

  describe('jobs of one key', () => {
    const job = defineJob<{ key: string; nth: number }>({ name: 'keyed', key: ({ key }) => key, retry: { tries: 2, firstMs: 20 } })

    it('run one at a time and in order over all workers, concurrently with those of other keys', async () => {
      const running = new Set<string>()
      const order = new Map<string, number[]>()
      const both = gate()
      const handler = handleJob(
        job,
        async ({ payload: { key, nth } }: Run<{ key: string; nth: number }>) => {
          expect(running).not.toContain(key)
          running.add(key)
          if (running.size === 2) both.resolve()
          await both.promise
          order.set(key, [...(order.get(key) ?? []), nth])
          running.delete(key)
        },
        { concurrency: 8 },
      )
      await addAll(
        job,
        upTo(40).flatMap((nth) => ['a', 'b'].map((key) => ({ key, nth }))),
      )
      world.work(handler)
      world.work(handler)
      await eventually(() => expect([order.get('a'), order.get('b')]).toEqual([upTo(40), upTo(40)]), long)
      await eventually(async () => expect(await world.state('keyed')).toEqual({}))
    })

    it('do not run before an earlier one that another claim has locked', async () => {
      await world.add(job, { key: 'a', nth: 0 })
      await world.add(job, { key: 'a', nth: 1 })
      const ran: number[] = []
      await world.notes.db.write(platform, async (tx) => {
        await tx.$queryRawUnsafe('SELECT FROM kit.job ORDER BY id LIMIT 1 FOR UPDATE')
        world.work(handleJob(job, async ({ payload: { nth } }) => void ran.push(nth)))
        await eventually(async () => expect(await world.state('keyed')).toEqual({ ready: 1, held: 1 }))
      })
      await eventually(() => expect(ran).toEqual([0, 1]))
    })

    it('wait for an earlier one that is retried, until it has failed for good', async () => {
      const ran: string[] = []
      await addAll(
        job,
        ['a', 'a', 'b'].map((key, nth) => ({ key, nth })),
      )
      world.work(
        handleJob(
          job,
          async ({ payload: { nth }, tries }) => {
            ran.push(`${nth}, try ${tries}`)
            if (nth === 0) throw new Error('No.')
          },
          { concurrency: 1 },
        ),
      )
      await eventually(() => expect(ran).toHaveLength(4))
      expect(ran.filter((one) => !one.startsWith('2'))).toEqual(['0, try 1', '0, try 2', '1, try 1'])
      await eventually(async () => expect(await world.state('keyed')).toEqual({ failed: 1 }))
    })

    it('run by priority, among those that have not begun', async () => {
      const ran: number[] = []
      const begun = gate()
      const end = gate()
      world.work(
        handleJob(job, async ({ payload: { nth } }) => {
          ran.push(nth)
          begun.resolve()
          await end.promise
        }),
      )
      await addAll(job, [
        { key: 'a', nth: 0 },
        { key: 'a', nth: 1 },
      ])
      await begun.promise
      await world.add(job, { key: 'a', nth: 2 }, { priority: 1 })
      await world.add(job, { key: 'b', nth: 3 })
      await eventually(() => expect(ran).toEqual([0, 3]))
      end.resolve()
      await eventually(() => expect(ran).toEqual([0, 3, 2, 1]))
    })

    it('do not wait for an earlier one that is delayed', async () => {
      const ran: number[] = []
      await world.add(job, { key: 'a', nth: 0 }, { runAt: new Date(Date.now() + 3_600_000) })
      await world.add(job, { key: 'a', nth: 1 })
      world.work(handleJob(job, async ({ payload: { nth } }) => void ran.push(nth)))
      await eventually(() => expect(ran).toEqual([1]))
    })
  })

  describe('fair between offices', () => {
    const job = defineJob<number>({ name: 'fair' })

    it('an office with many jobs does not delay those of other offices', async () => {
      const others = 99
      const perOther = 5
      const many = jobs - others * perOther
      await addAll(job, upTo(many), office(1n))
      for (let id = 2; id <= others + 1; id++) await addAll(job, upTo(perOther), office(BigInt(id)))
      const ran: bigint[] = []
      world.work(handleJob(job, async ({ scope }) => void ('customerId' in scope && ran.push(scope.customerId)), { concurrency: 8 }))
      await eventually(() => expect(ran.length).toBe(jobs), long)
      const lastOther = ran.findLastIndex((id) => id !== 1n)
      // The other offices have each had their five turns when the busy one has had little more than five.
      expect(ran.slice(0, lastOther).filter((id) => id === 1n).length).toBeLessThan(5 * perOther)
      expect(ran.filter((id) => id === 1n)).toHaveLength(many)
    }, 150_000)

    it('an office whose jobs do not end occupies at most half of the slots', async () => {
      const end = gate()
      const ran: string[] = []
      const handler = handleJob(
        job,
        async ({ scope }) => {
          const slow = 'customerId' in scope && scope.customerId === 1n
          ran.push(slow ? 'slow' : 'quick')
          if (slow) await end.promise
        },
        { concurrency: 4 },
      )
      await addAll(job, upTo(20), office(1n))
      world.work(handler)
      await eventually(() => expect(ran).toEqual(['slow', 'slow']))
      await addAll(job, upTo(20), office(2n))
      await eventually(() => expect(ran.filter((one) => one === 'quick')).toHaveLength(20))
      expect(ran.filter((one) => one === 'slow')).toHaveLength(2)
      end.resolve()
      await eventually(() => expect(ran).toHaveLength(40))
    })
  })
})
