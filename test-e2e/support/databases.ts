import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runningServer } from '@caseway/install/postgres/cluster.mjs'
import pg from 'pg'

/** Runs `work` as the owner of a service's database of a running platform, without row-level security. */
export async function asOwner<T>(home: string, service: string, work: (owner: pg.Client) => Promise<T>): Promise<T> {
  const { postgres: password } = JSON.parse(readFileSync(join(home, 'secrets.json'), 'utf8'))
  const server = runningServer(join(home, 'postgres'))
  const owner = new pg.Client({ host: '127.0.0.1', port: server?.port, user: 'postgres', password, database: service })
  await owner.connect()
  try {
    return await work(owner)
  } finally {
    await owner.end()
  }
}

/** Queries a service's database of a running platform as its owner. */
export const rowsOf = <Row extends pg.QueryResultRow>(home: string, service: string, sql: string): Promise<Row[]> =>
  asOwner(home, service, async (owner) => (await owner.query<Row>(sql)).rows)
