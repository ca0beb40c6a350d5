interface Watched {
  /** Whether a member of its group receives nothing. */
  silent(): boolean
  /** Whether the broker answers others. */
  answers(): Promise<boolean>
  lookEveryMs: number
}

/**
 * A consumer that receives nothing while the broker answers others would never recover. While the broker is unavailable every consumer is
 * healthy.
 */
export function watchdog({ silent, answers, lookEveryMs }: Watched) {
  let healthy = true
  const look = async () => {
    healthy = !silent() || !(await answers())
  }
  const timer = setInterval(() => void look(), lookEveryMs).unref()
  return { healthy: () => healthy, stop: () => clearInterval(timer) }
}
