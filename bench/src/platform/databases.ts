import { join } from 'node:path'
import { runningServer } from '@caseway/install/postgres/cluster.mjs'
import { registry } from '@caseway/registry'
import pg from 'pg'

/** A database of the platform, accessed without row-level security. */
export interface OwnedDatabase {
  url: string
  rows<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
  /** Runs several statements in one transaction. */
  run(text: string): Promise<void>
  /** Calls `onPayload` with each notification on `channel` until the database is closed. */
  listen(channel: string, onPayload: (payload: string) => void): Promise<void>
  close(): Promise<void>
}

export type Databases = Record<'auth' | 'cases' | 'mail' | 'polls', OwnedDatabase>

/** Opens the databases of the platform that runs in `home`, as the superuser. */
export function openDatabases(home: string, password: string): Databases {
  const server = runningServer(join(home, 'postgres'))
  const urlOf = (name: string) => `postgresql://postgres:${encodeURIComponent(password)}@127.0.0.1:${server?.port}/${name}`
  return {
    auth: open(urlOf(registry.auth.name)),
    cases: open(urlOf(registry.casesAndCounters.name)),
    mail: open(urlOf(registry.mail.name)),
    polls: open(urlOf(registry.pollsAndWidgets.name)),
  }
}

function open(url: string): OwnedDatabase {
  const pool = new pg.Pool({ connectionString: url, max: 8 })
  const listeners: pg.Client[] = []
  return {
    url,
    rows: async (text, values) => (await pool.query(text, values)).rows,
    async run(text) {
      await pool.query(`BEGIN; ${text}; COMMIT`)
    },
    async listen(channel, onPayload) {
      const client = new pg.Client({ connectionString: url })
      listeners.push(client)
      await client.connect()
      client.on('notification', ({ payload }) => onPayload(payload ?? ''))
      await client.query(`LISTEN ${pg.escapeIdentifier(channel)}`)
    },
    async close() {
      await Promise.all([pool.end(), ...listeners.map((client) => client.end())])
    },
  }
}
