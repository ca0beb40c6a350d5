import { createDatabase } from '@caseway/kit/database'
import { createLog, createMetrics } from '@caseway/kit/observability'
import { type TestDatabase, testDatabase } from '@caseway/testing'
import type { Db } from '../../src/database.js'
import { PrismaClient } from '../../src/generated/client.js'

export interface CasesDatabase extends TestDatabase {
  db: Db
  stop(): Promise<void>
}

/** The database of the service, without the service. */
export async function casesDatabase(): Promise<CasesDatabase> {
  const database = await testDatabase({ name: 'cases-and-counters' })
  const log = createLog({ service: 'test', level: 'silent' })
  const db = createDatabase({ url: database.url, client: PrismaClient, log, metrics: createMetrics('test') })
  return {
    ...database,
    db,
    async stop() {
      await db.close()
      await database.drop()
    },
  }
}
