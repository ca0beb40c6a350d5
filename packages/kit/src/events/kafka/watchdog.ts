interface Watched {
  /** Whether somebody who takes part hears nothing. */
  silent(): boolean
  /** Whether the broker answers others. */
  answers(): Promise<boolean>
  lookEveryMs: number
}

/** A consumer that hears nothing while the broker answers others would be silent for ever. A broker that is away makes nobody ill. */
export function watchdog({ silent, answers, lookEveryMs }: Watched) {
  let healthy = true
  const look = async () => {
    healthy = !silent() || !(await answers())
  }
  const timer = setInterval(() => void look(), lookEveryMs).unref()
  return { healthy: () => healthy, stop: () => clearInterval(timer) }
}
