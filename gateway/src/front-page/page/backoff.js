const firstMs = 500
const longestMs = 30_000

/**
 * How long to wait after so many failures in a row, in milliseconds: twice as long each time, and never all at one moment when many
 * lost their connection together (full jitter over the upper half).
 * @param {number} failures from 1
 */
export function backoffMs(failures, random = Math.random) {
  const most = Math.min(longestMs, firstMs * 2 ** (failures - 1))
  return most / 2 + (random() * most) / 2
}

/**
 * Waits, but no longer than until the browser has a network again.
 * @param {number} milliseconds
 * @param {AbortSignal} signal
 */
export function pause(milliseconds, signal) {
  return new Promise((resolve) => {
    const over = new AbortController()
    const end = () => {
      over.abort()
      clearTimeout(timer)
      resolve(undefined)
    }
    const timer = setTimeout(end, milliseconds)
    addEventListener('online', end, { signal: over.signal })
    signal.addEventListener('abort', end, { signal: over.signal })
  })
}
