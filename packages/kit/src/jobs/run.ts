import { type Database, office, platform, type Scope, type TransactionOf } from '../database/index.js'
import { type Job, type Verdict, verdictOnError } from './job.js'
import type { ClaimedJob, JobRows } from './job-rows.js'

/** The work went on although another worker may have the job: nothing of its transaction was written. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
  constructor() {
    super('The lease of the job was lost.')
  }
}

type Work<Client, Result> = (tx: TransactionOf<Client>) => Promise<Result>

/** One run of a job. What it writes with `checkpoint`, `pointOfNoReturn` and `finish` is written only while the job is its own. */
export interface Run<T, Client = unknown> {
  readonly id: bigint
  readonly payload: T
  /** Of the transaction that enqueued the job. */
  readonly scope: Scope
  /** Aborted when the lease was lost, and when the service stops and has waited for the work. */
  readonly signal: AbortSignal
  /** What the last checkpoint of this job left, by whichever run; null before the first. */
  readonly cursor: unknown
  /** Runs of this job so far that count, this one among them. */
  readonly tries: number

  /**
   * An effect and the place where the next run goes on, in one transaction of `scope`.
   * @param cursor in the types of JSON
   * @throws LeaseLost before `work` begins, when the lease was lost
   */
  checkpoint<Result = void>(cursor: unknown, work?: Work<Client, Result>): Promise<Result>

  /**
   * Commits that what follows cannot be repeated blindly. A job that is lost after it, or whose work throws, goes on as its `onLost` says.
   * @throws LeaseLost as `checkpoint`
   */
  pointOfNoReturn<Result = void>(work?: Work<Client, Result>): Promise<Result>

  /**
   * Ends the job with its last effect, in one transaction of `scope`. Work that returns without it ends the job as well.
   * @throws LeaseLost as `checkpoint`
   */
  finish<Result = void>(work?: Work<Client, Result>): Promise<Result>

  /**
   * Ends this run, whose outcome is known: also after the point of no return nothing is uncertain.
   * @param options.retry false: the job has failed for good. Otherwise it is one of the tries, and runs again while there are any left
   * @param options.afterMs the pause before the next run. Default as the job's `retry` says
   */
  fail(error: unknown, options?: { retry?: boolean; afterMs?: number }): Promise<void>
}

export interface RunOptions<T, Client> {
  readonly db: Database<Client>
  readonly rows: JobRows
  readonly job: Job<T>
  readonly claimed: ClaimedJob
  readonly signal: AbortSignal
}

export type Outcome = 'finished' | Verdict['state']

export interface OpenRun<T, Client> extends Run<T, Client> {
  /** How the run ended, undefined while it has not. */
  readonly outcome: Outcome | undefined
  /** Ends the run after its work threw; `stopped` when that was because the worker stops, which counts as nothing. */
  abandon(error: unknown, stopped: boolean): Promise<void>
}

const scopeOf = ({ customerId, clientId }: ClaimedJob): Scope =>
  customerId !== null ? office(customerId) : clientId !== null ? { clientId } : platform

export function openRun<T, Client>({ db, rows, job, claimed, signal }: RunOptions<T, Client>): OpenRun<T, Client> {
  const scope = scopeOf(claimed)
  let { cursor, irreversible } = claimed
  let outcome: Outcome | undefined

  /** A transaction that first proves the lease. */
  const fenced = <Result>(proof: () => Promise<boolean>, work: Work<Client, Result> | undefined, last?: () => Promise<void>) =>
    db.write(scope, async (tx) => {
      if (!(await proof())) throw new LeaseLost()
      const result = await work?.(tx)
      await last?.()
      return result as Result
    })

  const stop = async (verdict: Verdict, error: unknown) => {
    const held = await db.write(platform, () => rows.stop(claimed, verdict, error))
    if (!held) throw new LeaseLost()
    outcome = verdict.state
  }

  return {
    id: claimed.id,
    payload: claimed.payload as T,
    scope,
    signal,
    tries: claimed.tries,
    get cursor() {
      return cursor
    },
    get outcome() {
      return outcome
    },

    async checkpoint(next, work) {
      const result = await fenced(() => rows.keep(claimed, { cursor: next }), work)
      cursor = next
      return result
    },

    async pointOfNoReturn(work) {
      const result = await fenced(() => rows.keep(claimed, { irreversible: true }), work)
      irreversible = true
      return result
    },

    async finish<Result>(work?: Work<Client, Result>) {
      if (!work && claimed.key === null) {
        if (!(await rows.finishAlone(claimed))) throw new LeaseLost()
        outcome = 'finished'
        return undefined as Result
      }
      const result = await fenced(
        () => rows.finish(claimed),
        work,
        () => rows.release(claimed.name, claimed.key),
      )
      outcome = 'finished'
      return result
    },

    async fail(error, { retry = true, afterMs } = {}) {
      const verdict: Verdict = retry ? verdictOnError(job, { ...claimed, irreversible: false }, error) : { state: 'failed' }
      await stop(verdict.state === 'waiting' && afterMs !== undefined ? { ...verdict, afterMs } : verdict, error)
    },

    async abandon(error, stopped) {
      const verdict = verdictOnError(job, { ...claimed, irreversible }, error)
      await stop(stopped && verdict.state !== 'uncertain' ? { state: 'waiting', afterMs: 0, counted: false } : verdict, error)
    },
  }
}
