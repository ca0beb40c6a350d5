import { randomUUID } from 'node:crypto'
import { randomId, type TestDatabase, testDatabase } from '@caseway/testing'
import type { Client, Employee, Id } from '../../src/caller/index.js'
import { createDatabase, type Database, type PoolSettings, type TransactionOf } from '../../src/database/index.js'
import { date, flagText, idText, integerText, line, nullable, once, timestamp } from '../../src/fields/index.js'
import { createLog, createMetrics, type Metrics } from '../../src/observability/index.js'
import { defineResource } from '../../src/resource/index.js'
import { PrismaClient } from './src/generated/client.js'

export type Db = Database<PrismaClient>
export type Tx = TransactionOf<PrismaClient>

const fields = {
  id: idText,
  customer_id: idText,
  client_id: nullable(idText),
  title: once(line({ max: 100 })),
  rank: once(nullable(integerText({ min: 0, max: 100 }))),
  day: nullable(date),
  done: flagText,
  created: timestamp,
  modified: timestamp,
}

export const noteResource = defineResource({
  name: 'Note',
  path: 'note',
  table: 'notes',
  fields,
  filter: ['done', 'rank', 'client_id'],
  sort: ['id', 'title', 'rank', 'modified'],
})

/** The same notes as a resource for the clients to whom they belong. */
export const clientNoteResource = defineResource({
  name: 'Note',
  path: 'note',
  table: 'notes',
  fields,
  audience: 'client',
  ownedBy: 'client_id',
  sort: ['id', 'rank'],
})

export const employeeOf = (customerId: Id): Employee => ({
  audience: 'expert',
  role: 'expert',
  userId: randomId(),
  customerId,
  sessionId: randomUUID(),
})

export const someClient = (): Client => ({
  audience: 'client',
  role: 'client',
  userId: randomId(),
  customerId: null,
  sessionId: randomUUID(),
})

export const log = createLog({ service: 'kit-test', level: 'silent' })

export interface Notes extends TestDatabase {
  db: Db
  metrics: Metrics
  /** Opens the same database with another pool, like another copy of the service. */
  open(pool?: PoolSettings, url?: string): Db
  /** The committed titles of an office's notes, in the order in which they were written. */
  titlesOf(customerId: Id): Promise<string[]>
  stop(): Promise<void>
}

/** A database of notes and copied people for one test file. */
export async function notesDatabase(pool?: PoolSettings): Promise<Notes> {
  const database = await testDatabase({ name: 'kit-test', migrations: new URL('migrations', import.meta.url) })
  const opened: Db[] = []
  const metrics = createMetrics('kit-test')
  const open = (pool?: PoolSettings, url = database.url) => {
    const db = createDatabase({ url, client: PrismaClient, pool, log, metrics })
    opened.push(db)
    return db
  }
  return {
    ...database,
    db: open(pool),
    metrics,
    open,
    async titlesOf(customerId) {
      const rows = await database.rows<{ title: string }>('SELECT title FROM notes WHERE customer_id = $1 ORDER BY id', [customerId])
      return rows.map(({ title }) => title)
    },
    async stop() {
      await Promise.all(opened.map((db) => db.close()))
      await database.drop()
    },
  }
}
