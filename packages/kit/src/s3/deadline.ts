/** A clock that stands still until it is started. */
export interface Deadline {
  /** `timeoutMs` from now on. */
  start(): void
  stop(): void
}

/** Calls `onMissed` when `timeoutMs` pass between a start and the next stop. */
export function deadline(timeoutMs: number, onMissed: () => void): Deadline {
  let timer: NodeJS.Timeout | undefined
  const stop = () => clearTimeout(timer)
  return {
    start() {
      stop()
      timer = setTimeout(onMissed, timeoutMs)
    },
    stop,
  }
}
