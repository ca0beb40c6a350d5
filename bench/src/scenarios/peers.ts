import type { Apart } from '../platform/apart.js'

/** The default of a service (`POOL_MAX`). */
const poolMax = 10

/** One of the programs in `peers/`. */
export const peerScript = (name: string) => new URL(`../../peers/${name}.js`, import.meta.url)

/** A peer that works with the database of cases-and-counters. */
export const startPeer = (apart: Apart, name: string, env: NodeJS.ProcessEnv = {}) =>
  apart.start(name, peerScript(name), { DATABASE_URL: apart.databases.cases.url, POOL_MAX: String(poolMax), ...env })
