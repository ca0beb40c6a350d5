import pg from 'pg'
import { databaseConnection } from '../../database-address/index.js'
import { fromText } from './values.js'

/** What of the pool an installation may decide. */
export interface PoolSettings {
  /** Connections of one copy of the service. */
  max?: number
  /** How long a request waits for a connection, in milliseconds. */
  connectTimeoutMs?: number
  statementTimeoutMs?: number
  lockTimeoutMs?: number
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
  // Prisma's adapter reads every timestamptz as UTC, whatever its offset says.
  'timezone=UTC',
  // The default of 4 suits spinning disks; it would make the planner scan other offices' rows for a list sorted by id.
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
    // For a server that does not answer at all, so that its own timeout cannot.
    query_timeout: statementTimeoutMs + 1000,
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: idleInTransactionTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    options: options.map((setting) => `-c ${setting}`).join(' '),
    types,
  }
}
