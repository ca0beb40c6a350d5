import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from '@caseway/kit/observability'

const pauseMs = 300

/** A server process with a port. */
interface Server {
  readonly port: number
  stop(): Promise<void>
  /** Resolves when the process has ended, for whatever reason. */
  readonly stopped: Promise<unknown>
}

interface KeepRunningOptions<S> {
  name: string
  /** Starts the server on `port`; by default on a free port. */
  open(port?: number): Promise<S>
  log: Logger
  /** Called after a restart. */
  onChange(): void
}

/** Keeps a server running: when it ends, it is restarted on the same port. */
export async function keepRunning<S extends Server>({ name, open, log, onChange }: KeepRunningOptions<S>) {
  let server = await open()
  let stopping = false
  const restartWheneverItEnds = async () => {
    for (;;) {
      await server.stopped
      if (stopping) return
      log.warn({ server: name }, 'a server has ended and will be restarted')
      await restart()
    }
  }
  // Processes of a killed server, or its port, may remain for a while.
  const restart = async (): Promise<void> => {
    while (!stopping) {
      try {
        server = await open(server.port)
        return onChange()
      } catch (err) {
        log.warn({ err, server: name }, 'a server could not be restarted, and will be retried')
        await pause(pauseMs)
      }
    }
  }
  const restarting = restartWheneverItEnds()
  return {
    /** The server that currently runs. */
    current: () => server,
    async stop() {
      stopping = true
      await server.stop()
      await restarting
    },
  }
}
