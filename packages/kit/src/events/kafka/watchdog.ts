interface Watched {
  /** Whether a consumer of this process receives no answers of the broker. */
  silent(): boolean
  /** Whether the broker answers a new connection. */
  answers(): Promise<boolean>
  lookEveryMs: number
}

/**
 * Declares the process unhealthy when a consumer receives no answers while the broker answers a new connection: such a consumer would never recover. While
 * the broker is unavailable, every process is healthy.
 */
export function watchdog({ silent, answers, lookEveryMs }: Watched) {
  let healthy = true
  const look = async () => {
    healthy = !silent() || !(await answers())
  }
  const timer = setInterval(() => void look(), lookEveryMs).unref()
  return { healthy: () => healthy, stop: () => clearInterval(timer) }
}
