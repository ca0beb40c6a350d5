import { type Database, office, platform, type Scope, type TransactionOf } from '../database/index.js'
import { type Job, type Verdict, verdictOnError } from './job.js'
import type { ClaimedJob, JobRows } from './job-rows.js'

/** The claim of the run is no longer valid, because another worker may have the job: its transaction was rolled back. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
  constructor() {
    super('The lease of the job was lost.')
  }
}

type Work<Client, Result> = (tx: TransactionOf<Client>) => Promise<Result>

/** One run of a job. `checkpoint`, `pointOfNoReturn` and `finish` are fenced: they write only while the claim of the run is valid. */
export interface Run<T, Client = unknown> {
  readonly id: bigint
  readonly payload: T
  /** The scope of the transaction that enqueued the job. */
  readonly scope: Scope
  /** Aborted when the lease is lost, or when the service stops and the work has not ended within the grace period. */
  readonly signal: AbortSignal
  /** The cursor of the last checkpoint, of this run or an earlier one; null before the first. */
  readonly cursor: unknown
  /** How many runs of this job have counted as tries, including this one. */
  readonly tries: number

  /**
   * Runs `work` and stores `cursor`, from which the next run continues, in one transaction of `scope`.
   * @param cursor in the types of JSON
   * @returns the result of `work`
   * @throws LeaseLost before `work` begins, when the lease was lost
   */
  checkpoint<Result = void>(cursor: unknown, work?: Work<Client, Result>): Promise<Result>

  /**
   * Commits, together with `work`, that what follows must not be repeated blindly: when the run then throws or loses its lease, `onLost` of the job applies.
   * @throws LeaseLost as `checkpoint`
   */
  pointOfNoReturn<Result = void>(work?: Work<Client, Result>): Promise<Result>

  /**
   * Runs `work` and ends the job as done, in one transaction of `scope`. A job whose handler returns without calling it ends as well.
   * @throws LeaseLost as `checkpoint`
   */
  finish<Result = void>(work?: Work<Client, Result>): Promise<Result>

  /**
   * Ends this run with a failure whose outcome is known: the job does not become `uncertain`, even after the point of no return.
   * @param options.retry false when the job has failed for good. Default true: it runs again as after an error that its work throws
   * @param options.afterMs the pause before the next run, in milliseconds. Default as the job's `retry` says
   * @throws LeaseLost when the lease was lost
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
  /** How the run ended; undefined while it has not ended. */
  readonly outcome: Outcome | undefined
  /** Whether `finish` has made another job of the key ready. */
  readonly released: boolean
  /**
   * Ends the run after its work threw `error`.
   * @param stopped whether the worker was stopping: then the job may run again at once, and the run does not count as a try
   * @throws LeaseLost when the lease was lost
   */
  abandon(error: unknown, stopped: boolean): Promise<void>
}

const scopeOf = ({ customerId, clientId }: ClaimedJob): Scope =>
  customerId !== null ? office(customerId) : clientId !== null ? { clientId } : platform

export function openRun<T, Client>({ db, rows, job, claimed, signal }: RunOptions<T, Client>): OpenRun<T, Client> {
  const scope = scopeOf(claimed)
  let { cursor, irreversible } = claimed
  let outcome: Outcome | undefined
  let released = false

  /** A transaction that begins with `proof`, which locks the row of the job and returns whether the claim is valid. */
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
    get released() {
      return released
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
        async () => {
          released = await rows.release(claimed.name, claimed.key)
        },
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
