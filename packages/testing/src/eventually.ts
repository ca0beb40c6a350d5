import { setTimeout as pause } from 'node:timers/promises'

interface Patience {
  timeoutMs?: number
  everyMs?: number
}

/**
 * Repeats `check` until it does not throw, and resolves with its result.
 * @throws the last error of `check` after the time-out
 */
export async function eventually<T>(check: () => T | Promise<T>, { timeoutMs = 5000, everyMs = 25 }: Patience = {}): Promise<T> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (Date.now() + everyMs > deadline) throw error
      await pause(everyMs)
    }
  }
}
