const firstMs = 500
const longestMs = 30_000

/**
 * The pause after a number of consecutive failures, in milliseconds: doubled each time, with full jitter over the upper half, so that many browsers
 * which lost their connection together do not reconnect together.
 * @param {number} failures from 1
 */
export function backoffMs(failures, random = Math.random) {
  const most = Math.min(longestMs, firstMs * 2 ** (failures - 1))
  return most / 2 + (random() * most) / 2
}

/**
 * Waits, but at most until the browser is online again.
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
