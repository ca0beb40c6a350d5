import { setTimeout as pause } from 'node:timers/promises'

/** Resolves after `ms` milliseconds, or as soon as `signal` is aborted. */
export const pauseUnless = (signal: AbortSignal, ms: number): Promise<void> => pause(ms, undefined, { signal }).catch(() => undefined)

/** The result of `work`. Rejects with the reason of `signal` when that is aborted first; `work` is not interrupted, and its result is ignored. */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const aborted = Promise.withResolvers<never>()
  const abort = () => aborted.reject(signal.reason)
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort)
  try {
    return await Promise.race([work, aborted.promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/**
 * The result of `work`, or `otherwise` after `ms` milliseconds or when `signal` is aborted. For the hot path: unlike p-timeout it creates no error and no
 * signal for work that ends in time.
 */
export async function within<T, Otherwise>(
  ms: number,
  signal: AbortSignal,
  work: Promise<T>,
  otherwise: Otherwise,
): Promise<T | Otherwise> {
  const late = Promise.withResolvers<Otherwise>()
  const giveUp = () => late.resolve(otherwise)
  if (signal.aborted) giveUp()
  signal.addEventListener('abort', giveUp)
  const timer = setTimeout(giveUp, ms)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', giveUp)
  }
}

/** A wake-up signal for one waiter: a notification before `wait` is not lost. */
export function createWakeSignal() {
  let notified = false
  let wake = (): void => undefined
  return {
    notify(): void {
      notified = true
      wake()
    },
    /** Resolves when notified, after `ms` milliseconds, or when `signal` is aborted. */
    async wait(ms: number, signal: AbortSignal): Promise<void> {
      const woken = Promise.withResolvers<void>()
      wake = woken.resolve
      const timer = setTimeout(wake, ms)
      signal.addEventListener('abort', wake, { once: true })
      if (!notified && !signal.aborted) await woken.promise
      signal.removeEventListener('abort', wake)
      clearTimeout(timer)
      notified = false
    },
  }
}
