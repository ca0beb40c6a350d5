import { setTimeout as pause } from 'node:timers/promises'

/** Resolves after `ms`, or as soon as `signal` is aborted. */
export const pauseUnless = (signal: AbortSignal, ms: number): Promise<void> => pause(ms, undefined, { signal }).catch(() => undefined)

/** `work`, or a rejection with the signal's reason when that is aborted first. Nobody waits for `work` then. */
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

/** `work`, or `otherwise` when it has not ended after `ms`, or as `signal` is aborted. An end in time costs no error and no signal of its own. */
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

/** Something to wait for that may be notified before anybody waits. */
export function createWakeSignal() {
  let notified = false
  let wake = (): void => undefined
  return {
    notify(): void {
      notified = true
      wake()
    },
    /** Until it is notified, at most `ms`. */
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
