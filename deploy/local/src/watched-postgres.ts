import type { Cluster } from '@caseway/install/postgres/cluster.mjs'
import type { Home } from './home.js'
import type { PlatformOptions } from './launcher.js'
import { openPostgres } from './postgres.js'
import { Problem } from './problem.js'

interface WatchOptions extends Pick<PlatformOptions, 'onFailure'> {
  password: string
  /** Whether the platform is stopping; a signal may then end PostgreSQL before its turn. */
  isStopping(): boolean
}

/** Starts PostgreSQL, whose unexpected end is a failure of the platform. */
export async function openWatchedPostgres(home: Home, { password, isStopping, onFailure }: WatchOptions): Promise<Cluster> {
  const cluster = await openPostgres(home, { password })
  let stopping = false
  void cluster.stopped.then(() => {
    if (!stopping && !isStopping()) onFailure(new Problem(`PostgreSQL has ended, and the platform with it: see ${home.path}/postgres.log.`))
  })
  return {
    ...cluster,
    stop() {
      // After the failure of another part this stop runs before that of the platform; the failure is to be reported, not the end of PostgreSQL.
      stopping = true
      return cluster.stop()
    },
  }
}
