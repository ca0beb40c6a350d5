import { setTimeout as pause } from 'node:timers/promises'

interface Patience {
  timeoutMs?: number
  everyMs?: number
}

/**
 * Repeats `check` until it no longer throws, and resolves to what it answers. Assertions go inside.
 * @throws the last error of `check` when the time is over
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
