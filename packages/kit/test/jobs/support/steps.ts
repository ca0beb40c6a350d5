import { once } from 'node:events'
import { createDatabase, type Database, platform } from '@caseway/kit/database'
import { defineJob, handleJob, type OnLost, type Run, startJobs } from '@caseway/kit/jobs'
import { createLog, createMetrics } from '@caseway/kit/observability'

/** The phases of a run in which a test kills or stops its process. */
export const phases = [
  'begun',
  'in a checkpoint',
  'after a checkpoint',
  'at the point of no return',
  'in the end',
  'after the end',
] as const
export type Phase = (typeof phases)[number]

export interface Steps {
  readonly leaseMs: number
  readonly tries?: number
  readonly onLost?: OnLost
}

export const stepsJob = ({ leaseMs, tries = 3, onLost = 'repeat' }: Steps) =>
  defineJob({ name: 'steps', leaseMs, onLost, retry: { tries, firstMs: 10 } })

interface Raw {
  $executeRawUnsafe(sql: string, ...values: unknown[]): PromiseLike<number>
}
const effect = (what: string) => async (tx: unknown) => {
  await (tx as Raw).$executeRawUnsafe('INSERT INTO effects VALUES ($1)', what)
}

/** The work of a job: two checkpoints, a point of no return and the end. `reach` is called in each phase. */
export const steps = (reach: (phase: Phase, run: Run<null>) => unknown) => async (run: Run<null>) => {
  await reach('begun', run)
  if (run.cursor === null) {
    await run.checkpoint(1, async (tx) => {
      await effect('first')(tx)
      await reach('in a checkpoint', run)
    })
  }
  await reach('after a checkpoint', run)
  if (run.cursor === 1) await run.checkpoint(2, effect('second'))
  await run.pointOfNoReturn()
  await reach('at the point of no return', run)
  await run.finish(async (tx) => {
    await effect('last')(tx)
    await reach('in the end', run)
  })
  await reach('after the end', run)
}

/** The main function of a child process: prints `reached` at `phase`, waits there for a line of input, and prints how the run ended. */
async function main(url: string, phase: Phase, settings: Steps, skewMs: number) {
  const now = Date.now
  Date.now = () => now() + skewMs
  const log = createLog({ service: 'steps', level: 'silent' })
  const metrics = createMetrics('steps')
  const client = class {
    $connect = async () => undefined
    $disconnect = async () => undefined
  }
  const db = createDatabase({ url, client, log, metrics, pool: { idleInTransactionTimeoutMs: 60_000 } }) as unknown as Database<unknown>
  const say = (what: string) => process.stdout.write(`${what}\n`)
  const handler = handleJob(
    stepsJob(settings),
    async (run) => {
      run.signal.addEventListener('abort', () => say('aborted'))
      const reach = async (reached: Phase) => {
        if (reached !== phase) return
        say('reached')
        await once(process.stdin, 'data')
      }
      await steps(reach)(run).then(
        () => say('resolved'),
        (error) => {
          say(`rejected ${error.name}`)
          throw error
        },
      )
    },
    { concurrency: 1 },
  )
  startJobs({ db, handlers: [handler], log, metrics, pollMs: 50 })
  await db.read(platform)
}

const [, script, url, phase, settings, skewMs = '0'] = process.argv
if (script?.endsWith('steps.ts') && url && phase && settings) await main(url, phase as Phase, JSON.parse(settings), Number(skewMs))
