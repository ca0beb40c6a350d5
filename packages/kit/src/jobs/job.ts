import { isTemporary } from '../events/index.js'

/** When a job that failed runs again. */
export interface RetryPolicy {
  /** Runs that fail, or whose lease is lost, before the job counts as failed for good. */
  readonly tries: number
  /** The pause before the second run, in milliseconds. It doubles with each failure. */
  readonly firstMs: number
  /** The longest pause, in milliseconds. */
  readonly mostMs: number
}

/**
 * What becomes of a job that was lost after its point of no return: it runs again, or is `uncertain` and runs no more until an operator has
 * looked what became of it.
 */
export type OnLost = 'repeat' | 'uncertain'

/** A kind of work. `T` is what its jobs carry, in the types of JSON. */
export interface Job<T> {
  readonly name: string
  /** Jobs with the same key run one at a time, by priority and then in the order in which they are due. */
  readonly key?: ((payload: T) => string) | undefined
  /** For how long a worker that says nothing keeps a job, in milliseconds. It is renewed while the worker lives. */
  readonly leaseMs: number
  readonly retry: RetryPolicy
  readonly onLost: OnLost
}

/**
 * Declares a kind of work. By default a lease of 30 seconds, five tries with pauses from one second to ten minutes, and `repeat`.
 * @param definition.name names it in the database, in metrics and in the log; a renamed job is another job
 */
export function defineJob<T = null>(
  definition: Pick<Job<T>, 'name'> & Partial<Omit<Job<T>, 'retry'>> & { retry?: Partial<RetryPolicy> },
): Job<T> {
  const { leaseMs = 30_000, onLost = 'repeat', retry, ...job } = definition
  return { ...job, leaseMs, onLost, retry: { tries: 5, firstMs: 1000, mostMs: 600_000, ...retry } }
}

/** What of a claimed job decides how it goes on. */
export interface Progress {
  /** With the present one. */
  readonly tries: number
  /** Runs that ended because something did not answer. */
  readonly delays: number
  readonly irreversible: boolean
}

/** What becomes of a job after a run that did not finish it. */
export type Verdict =
  | { readonly state: 'failed' | 'uncertain' }
  /** `counted`: as one of the tries. */
  | { readonly state: 'waiting'; readonly afterMs: number; readonly counted: boolean }

const pauseAfter = ({ firstMs, mostMs }: RetryPolicy, failures: number) => Math.min(firstMs * 2 ** Math.min(failures, 40), mostMs)

/** After its lease was lost: the process died, or hung for longer than the lease. */
export function verdictOnLoss({ retry, onLost }: Job<never>, { tries, irreversible }: Progress): Verdict {
  if (irreversible && onLost === 'uncertain') return { state: 'uncertain' }
  if (tries >= retry.tries) return { state: 'failed' }
  return { state: 'waiting', afterMs: 0, counted: true }
}

/** After the work threw `error`. What may succeed later (`isTemporary`) is repeated without end. */
export function verdictOnError({ retry, onLost }: Job<never>, { tries, delays, irreversible }: Progress, error: unknown): Verdict {
  if (irreversible && onLost === 'uncertain') return { state: 'uncertain' }
  if (isTemporary(error)) return { state: 'waiting', afterMs: pauseAfter(retry, delays), counted: false }
  if (tries >= retry.tries) return { state: 'failed' }
  return { state: 'waiting', afterMs: pauseAfter(retry, tries - 1), counted: true }
}
