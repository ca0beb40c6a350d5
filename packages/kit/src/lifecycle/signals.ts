import type { Logger } from '../observability/index.js'

interface SignalOptions {
  log: Logger
  signals?: readonly NodeJS.Signals[]
  /** Default `process`. */
  from?: Pick<NodeJS.Process, 'on' | 'exit'>
}

/** Stops at the first SIGTERM or SIGINT and then ends the process: with 0 after a clean stop, with 1 after one that failed. */
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
