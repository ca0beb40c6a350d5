import pg from 'pg'
import { databaseConnection } from '../../database-address/index.js'
import { fromText } from './values.js'

/** The settings of the pool that an installation may change. */
export interface PoolSettings {
  /** The most connections of one copy of the service. Default 10. */
  max?: number
  /** How long a request waits for a connection, in milliseconds. Default 2,000. */
  connectTimeoutMs?: number
  /** `statement_timeout`, in milliseconds. Default 5,000. */
  statementTimeoutMs?: number
  /** `lock_timeout`, in milliseconds. Default 2,000. */
  lockTimeoutMs?: number
  /** `idle_in_transaction_session_timeout`, in milliseconds. Default 10,000. */
  idleInTransactionTimeoutMs?: number
}

const { builtins, getTypeParser } = pg.types
const textArray: number = 1009
const bigintArray = 1016
const dateArray = 1182

const parseTexts = getTypeParser(textArray) as (text: string) => string[]
const parsers = new Map<number, (text: string) => unknown>([
  [builtins.INT8, fromText.bigint],
  [bigintArray, (text) => parseTexts(text).map(BigInt)],
  [builtins.TIMESTAMPTZ, fromText.timestamptz],
  [builtins.DATE, fromText.date],
  [dateArray, parseTexts],
])

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => parsers.get(oid) ?? getTypeParser(oid, format),
}

const options = [
  // Prisma's adapter reads every timestamptz as UTC and ignores its offset.
  'timezone=UTC',
  // Times are read in this format, whatever the server or the role of the service sets.
  'datestyle=ISO',
  // The default of 4 is for spinning disks: with it the planner would scan the rows of other offices for a list sorted by id.
  'random_page_cost=1.1',
]

/** The settings of every connection of a service to its database (docs: node-postgres, `Client` and `Pool`). */
export function connectionSettings(url: string, settings: PoolSettings = {}): pg.PoolConfig {
  const {
    max = 10,
    connectTimeoutMs = 2000,
    statementTimeoutMs = 5000,
    lockTimeoutMs = 2000,
    idleInTransactionTimeoutMs = 10_000,
  } = settings
  return {
    ...databaseConnection(url),
    max,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    // For a server that does not answer at all, whose own timeout has no effect.
    query_timeout: statementTimeoutMs + 1000,
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: idleInTransactionTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    options: options.map((setting) => `-c ${setting}`).join(' '),
    types,
  }
}
