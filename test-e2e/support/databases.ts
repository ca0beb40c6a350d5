import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runningServer } from '@caseway/install/postgres/cluster.mjs'
import pg from 'pg'

/** What is really in a service's database of a running platform, asked past row-level security. */
export async function rowsOf<Row extends pg.QueryResultRow>(home: string, service: string, sql: string): Promise<Row[]> {
  const { postgres: password } = JSON.parse(readFileSync(join(home, 'secrets.json'), 'utf8'))
  const server = runningServer(join(home, 'postgres'))
  const client = new pg.Client({ host: '127.0.0.1', port: server?.port, user: 'postgres', password, database: service })
  await client.connect()
  try {
    return (await client.query<Row>(sql)).rows
  } finally {
    await client.end()
  }
}
