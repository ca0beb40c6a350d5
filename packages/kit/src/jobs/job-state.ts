import { CompiledQuery } from 'kysely'
import { type Database, platform } from '../database/index.js'
import { countAtMost, type Logger, type Metrics } from '../observability/index.js'

const everyMs = 10_000

const states = ['waiting', 'ready', 'held', 'running', 'failed', 'uncertain'] as const

/** The jobs of one kind in one state. */
export interface JobState {
  readonly job: string
  readonly state: (typeof states)[number]
  /** At most 10,000 jobs of a state are counted, over all kinds. */
  readonly count: number
  /** Seconds since the oldest of them was due; 0 when none is due yet. */
  readonly oldestSeconds: number
}

const unfinished = states
  .map((state) => `(SELECT name, state, due FROM kit.job WHERE state = '${state}' LIMIT ${countAtMost})`)
  .join(' UNION ALL ')

const statement = `
  SELECT name AS job, state, count(*)::int, greatest(0, extract(epoch FROM now() - min(due)))::float8 AS "oldestSeconds"
  FROM (${unfinished}) AS unfinished GROUP BY name, state ORDER BY name, state`

/** Counts the jobs of a service that are not done, by kind and state. */
export const readJobStates = (db: Database<unknown>): Promise<JobState[]> =>
  db.query(platform, CompiledQuery.raw(statement) as CompiledQuery<JobState>)

interface Shown {
  readonly log: Logger
  readonly metrics: Metrics
}

/** Exports the state of the jobs of the kinds `names` as metrics, every 10 seconds until `stop`. Every copy does, even one that runs none of them. */
export function showJobs(db: Database<unknown>, names: readonly string[], { log, metrics }: Shown) {
  const show = async () => {
    const found = await readJobStates(db)
    for (const job of names) {
      const own = found.filter((state) => state.job === job)
      for (const state of states) metrics.jobs.set({ job_name: job, state }, own.find((one) => one.state === state)?.count ?? 0)
      const due = own.filter(({ state }) => state === 'waiting' || state === 'ready' || state === 'held')
      metrics.jobsOldestDue.set({ job_name: job }, Math.max(0, ...due.map(({ oldestSeconds }) => oldestSeconds)))
    }
  }
  const showOrLog = () => show().catch((err: unknown) => log.warn({ err }, 'the state of the jobs could not be read'))
  const timer = setInterval(showOrLog, everyMs).unref()
  void showOrLog()
  return { stop: () => clearInterval(timer) }
}
