import type { Logger } from '../observability/index.js'

interface SignalOptions {
  log: Logger
  signals?: readonly NodeJS.Signals[]
  /** Default `process`. */
  from?: Pick<NodeJS.Process, 'on' | 'exit'>
}

/** Calls `stop` at the first SIGTERM or SIGINT, and then exits the process: with 0, or with 1 where `stop` rejects. */
export function stopOnSignals(stop: () => Promise<void>, { log, signals = ['SIGTERM', 'SIGINT'], from = process }: SignalOptions): void {
  let stopping = false
  const onSignal = async (signal: NodeJS.Signals) => {
    if (stopping) return
    stopping = true
    log.info({ signal }, 'stopping')
    try {
      await stop()
      from.exit(0)
    } catch (error) {
      log.fatal({ err: error }, 'could not stop cleanly')
      from.exit(1)
    }
  }
  for (const signal of signals) from.on(signal, onSignal)
}
