import type { DistributedPlatform } from '../platform/distributed.js'

/** The default of a service (`POOL_MAX`). */
const poolMax = 10

/** One of the programs in `peers/`. */
export const peerScript = (name: string) => new URL(`../../peers/${name}.js`, import.meta.url)

/** A peer that works with the database of the cases. */
export const startPeer = (distributed: DistributedPlatform, name: string, env: NodeJS.ProcessEnv = {}) =>
  distributed.start(name, peerScript(name), { DATABASE_URL: distributed.databases.cases.url, POOL_MAX: String(poolMax), ...env })
