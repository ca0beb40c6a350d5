import { isTemporary } from '../events/index.js'

/** When a job that failed runs again. */
export interface RetryPolicy {
  /** How many runs may fail, or lose their lease, before the job has failed for good. */
  readonly tries: number
  /** The pause before the second run, in milliseconds. It doubles with each failure. */
  readonly firstMs: number
  /** The longest pause, in milliseconds. */
  readonly maxMs: number
}

/**
 * What happens to a job whose run threw, or lost its lease, after its point of no return: it runs again, or becomes `uncertain` and does not run until an
 * operator has checked the outcome and retries it.
 */
export type OnLost = 'repeat' | 'uncertain'

/** A kind of job. `T` is the payload of its jobs, in the types of JSON. */
export interface Job<T> {
  readonly name: string
  /** Jobs with the same key run one at a time, by priority and then by the time at which they are due. Default no key. */
  readonly key?: ((payload: T) => string) | undefined
  /** How long a claim lasts unless it is renewed, in milliseconds. A living worker renews it. */
  readonly leaseMs: number
  readonly retry: RetryPolicy
  readonly onLost: OnLost
}

/**
 * Declares a kind of job. By default it has a lease of 30 seconds, five tries with pauses from one second to ten minutes, and `onLost` is `repeat`.
 * @param definition.name its name in the database, in metrics and in the log. Jobs that were enqueued under an earlier name are not run
 */
export function defineJob<T = null>(
  definition: Pick<Job<T>, 'name'> & Partial<Omit<Job<T>, 'retry'>> & { retry?: Partial<RetryPolicy> },
): Job<T> {
  const { leaseMs = 30_000, onLost = 'repeat', retry, ...job } = definition
  return { ...job, leaseMs, onLost, retry: { tries: 5, firstMs: 1000, maxMs: 600_000, ...retry } }
}

/** The state of a claimed job on which its verdict depends. */
export interface Progress {
  /** How many runs have counted as tries, including the present one. */
  readonly tries: number
  /** How many runs, since the last one that counted as a try, did not count because of a temporary error (`isTemporary`) or a stop of the worker. */
  readonly delays: number
  /** Whether the job has passed its point of no return. */
  readonly irreversible: boolean
}

/** The next state of a job after a run that did not finish it. */
export type Verdict =
  | { readonly state: 'failed' | 'uncertain' }
  /** `afterMs`: the pause before the next run; `counted`: whether this run counts as one of the tries. */
  | { readonly state: 'waiting'; readonly afterMs: number; readonly counted: boolean }

const pauseAfter = ({ firstMs, maxMs }: RetryPolicy, failures: number) => Math.min(firstMs * 2 ** Math.min(failures, 40), maxMs)

/** The verdict for a job whose lease has expired: its process died, or hung for longer than the lease. */
export function verdictOnLoss({ retry, onLost }: Job<never>, { tries, irreversible }: Progress): Verdict {
  if (irreversible && onLost === 'uncertain') return { state: 'uncertain' }
  if (tries >= retry.tries) return { state: 'failed' }
  return { state: 'waiting', afterMs: 0, counted: true }
}

/** The verdict for a job whose work threw `error`. After a temporary error (`isTemporary`) it is repeated without limit. */
export function verdictOnError({ retry, onLost }: Job<never>, { tries, delays, irreversible }: Progress, error: unknown): Verdict {
  if (irreversible && onLost === 'uncertain') return { state: 'uncertain' }
  if (isTemporary(error)) return { state: 'waiting', afterMs: pauseAfter(retry, delays), counted: false }
  if (tries >= retry.tries) return { state: 'failed' }
  return { state: 'waiting', afterMs: pauseAfter(retry, tries - 1), counted: true }
}
