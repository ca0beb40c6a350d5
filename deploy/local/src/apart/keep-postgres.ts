import type { Cluster } from '@caseway/install/postgres/cluster.mjs'
import type { Logger } from '@caseway/kit/observability'
import type { Home } from '../home.js'
import { openPostgres } from '../postgres.js'

interface KeepOptions {
  log: Logger
  /** Another process is PostgreSQL now. */
  onChange(): void
}

/** PostgreSQL on one port for as long as the platform runs: when it ends, it is started anew there. */
export async function keepPostgres(home: Home, password: string, { log, onChange }: KeepOptions): Promise<Cluster> {
  let cluster = await openPostgres(home, password)
  const { port, url } = cluster
  let stopping = false
  const keep = async () => {
    for (;;) {
      await cluster.stopped
      if (stopping) return
      log.warn('PostgreSQL has ended and is started anew')
      cluster = await openPostgres(home, password, port)
      onChange()
    }
  }
  const kept = keep().catch((err: unknown) => log.fatal({ err }, 'PostgreSQL could not be started anew'))
  return {
    port,
    url,
    stopped: kept,
    async stop() {
      stopping = true
      await cluster.stop()
      await kept
    },
  }
}
