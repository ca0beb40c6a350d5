import { eventually } from '@caseway/testing'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { defineJob, handleJob, LeaseLost, type Run } from '../../src/jobs/index.js'
import type { PrismaClient } from '../support/src/generated/client.js'
import { gate, jobsWorld, type World } from './support/world.js'

let world: World
beforeEach(async () => {
  world = await jobsWorld()
})
afterEach(() => world.stop())

type OwnRun = Run<null, PrismaClient>

const effect: Parameters<OwnRun['finish']>[0] = async (tx) => void (await tx.$executeRawUnsafe("INSERT INTO effects VALUES ('written')"))

/** Lets all leases expire. */
const endLease = () => world.notes.rows("UPDATE kit.job SET lease_until = now() - interval '1 second' WHERE state = 'running'")

describe('a run whose job another worker has claimed', () => {
  const job = defineJob({ name: 'lost' })
  const ways: [string, (run: OwnRun) => Promise<unknown>][] = [
    ['a checkpoint', (run) => run.checkpoint(1, effect)],
    ['the point of no return', (run) => run.pointOfNoReturn(effect)],
    ['the end', (run) => run.finish(effect)],
    ['the end without an effect', (run) => run.finish()],
    ['a failure', (run) => run.fail(new Error('No.'), { retry: false })],
  ]

  it.each(ways)('cannot write %s', async (_name, write) => {
    const [begun, resume, end] = [gate(), gate(), gate()]
    let result: unknown
    let runs = 0
    const handler = handleJob<null, PrismaClient>(job, async (run) => {
      if (++runs > 1) return end.promise
      begun.resolve()
      await resume.promise
      result = await write(run).catch((error) => error)
      throw result
    })
    world.work(handler)
    world.work(handler)
    await world.add(job, null)
    await begun.promise
    await endLease()
    await eventually(() => expect(runs).toBe(2))
    resume.resolve()
    await eventually(() => expect(result).toBeInstanceOf(LeaseLost))
    expect(await world.effects()).toEqual([])
    expect(await world.state('lost')).toEqual({ running: 1 })
    end.resolve()
  })

  it('has its signal aborted', async () => {
    const [begun, aborted] = [gate(), gate()]
    const short = defineJob({ name: 'lost', leaseMs: 600 })
    let runs = 0
    let signalled = false
    world.work(
      handleJob(short, async ({ signal }) => {
        if (++runs > 1) return
        begun.resolve()
        signal.addEventListener('abort', () => aborted.resolve())
        await aborted.promise
        signalled = true
      }),
    )
    await world.add(short, null)
    await begun.promise
    // Repeated, because the worker may renew its lease before a sweep finds it expired.
    await eventually(async () => {
      await endLease()
      expect(signalled).toBe(true)
    })
    await eventually(async () => expect(await world.state('lost')).toEqual({}))
  })
})

it('a job whose lease ends past the point of no return is uncertain', async () => {
  const job = defineJob({ name: 'point', onLost: 'uncertain' })
  const [begun, end] = [gate(), gate()]
  world.work(
    handleJob(job, async (run) => {
      await run.pointOfNoReturn()
      begun.resolve()
      await end.promise
    }),
  )
  await world.add(job, null)
  await begun.promise
  await endLease()
  await eventually(async () => expect(await world.state('point')).toEqual({ uncertain: 1 }))
  end.resolve()
})
