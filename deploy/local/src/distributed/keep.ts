import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from '@caseway/kit/observability'

const pauseMs = 300

/** A server on a port of its own. */
interface Server {
  readonly port: number
  stop(): Promise<void>
  /** Resolves when it has ended, for whatever reason. */
  readonly stopped: Promise<unknown>
}

interface KeepOptions<S> {
  name: string
  /** On this port, or at first on a free one. */
  open(port?: number): Promise<S>
  log: Logger
  /** Another process is the server now. */
  onChange(): void
}

/** Keeps a server on one port for as long as the platform runs: when it ends, it is started anew there. */
export async function keep<S extends Server>({ name, open, log, onChange }: KeepOptions<S>) {
  let server = await open()
  let stopping = false
  const keepIt = async () => {
    for (;;) {
      await server.stopped
      if (stopping) return
      log.warn({ server: name }, 'a server has ended and is started anew')
      await openAgain()
    }
  }
  // What a killed server leaves, its processes or its port, may be there for a while.
  const openAgain = async (): Promise<void> => {
    while (!stopping) {
      try {
        server = await open(server.port)
        return onChange()
      } catch (err) {
        log.warn({ err, server: name }, 'a server could not be started anew yet')
        await pause(pauseMs)
      }
    }
  }
  const kept = keepIt()
  return {
    /** The one that runs now. */
    current: () => server,
    async stop() {
      stopping = true
      await server.stop()
      await kept
    },
  }
}
