/** A timeout that can be started again and stopped. */
export interface Deadline {
  /** Starts it anew. */
  start(): void
  stop(): void
}

/** Calls `onMissed` when `timeoutMs` milliseconds have passed since the last `start`, unless `stop` was called. */
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
