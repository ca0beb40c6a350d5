import type { Metrics } from '../../observability/index.js'

const everyMs = 1000

interface Pool {
  readonly totalCount: number
  readonly idleCount: number
  readonly waitingCount: number
}

/** Exports the state of the pool as metrics, every second until `stop`. */
export function watchPool(pool: Pool, { poolConnections, poolWaiting }: Metrics): { stop(): void } {
  const show = () => {
    poolConnections.set({ state: 'idle' }, pool.idleCount)
    poolConnections.set({ state: 'busy' }, pool.totalCount - pool.idleCount)
    poolWaiting.set(pool.waitingCount)
  }
  show()
  const timer = setInterval(show, everyMs).unref()
  return { stop: () => clearInterval(timer) }
}
