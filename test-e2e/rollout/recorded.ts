import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createDirectTransport } from '@caseway/kit/events'
import { migrate } from '@caseway/kit/migrations'
import { createLog, createMetrics } from '@caseway/kit/observability'
import { grpcAddressVariable, registry } from '@caseway/registry'
import { migrationsOf, type TestDatabase, testDatabase } from '@caseway/testing'
import pg from 'pg'
import { definitions } from '../../deploy/caseway/src/definitions.js'
import { addressesOf, startInProcess } from '../../deploy/local/src/services.js'

type Row = Record<string, unknown>

/** The recorded data of an older build; see `record.mjs`. */
export interface Recorded {
  client_id: string
  account: { user_id: string; username: string; password: string }
  /** Its answers to this account, by path. */
  answers: Record<string, unknown>
  services: Record<string, { migration: string; rows: Record<string, Row[]> }>
}

export const readRecorded = (name: string): Recorded => JSON.parse(readFileSync(new URL(`recorded/${name}.json`, import.meta.url), 'utf8'))

/** Restores the database of a service as the older build left it. */
export async function restore({ services }: Recorded, name: string): Promise<TestDatabase> {
  const recorded = services[name]
  if (!recorded) throw new Error(`Nothing of ${name} was recorded.`)
  const database = await testDatabase({ name, until: recorded.migration })
  const owner = new pg.Client({ connectionString: database.ownerUrl })
  await owner.connect()
  // Without triggers and foreign keys, so that the rows are restored unchanged and in any order.
  await owner.query('SET session_replication_role = replica')
  for (const [table, rows] of Object.entries(recorded.rows)) {
    const sql = `INSERT INTO ${table} OVERRIDING SYSTEM VALUE SELECT * FROM jsonb_populate_recordset(NULL::${table}, $1)`
    await owner.query(sql, [JSON.stringify(rows)])
    if (rows[0] && 'id' in rows[0]) await owner.query(`SELECT setval(pg_get_serial_sequence('${table}', 'id'), max(id)) FROM ${table}`)
  }
  await owner.end()
  return database
}

/** Runs the migrations of this build, like the job before a rollout. */
export const migrateToday = (name: string, { ownerUrl }: TestDatabase): Promise<string[]> =>
  migrate({ ownerUrl, serviceRole: name, dir: fileURLToPath(migrationsOf(name)) })

/** Starts this build of both services on the databases. */
export async function startToday(databases: { auth: TestDatabase; cases: TestDatabase }) {
  const transport = createDirectTransport({ held: true })
  const addresses = { EXPERT_URL: 'http://expert.test', CLIENT_URL: 'http://client.test', TOKEN_ISSUER: 'caseway' }
  const parts = (service: string) => ({ transport, log: createLog({ service, level: 'warn' }), metrics: createMetrics(service) })
  const secret = Buffer.alloc(32, 'rollout').toString('base64')
  const [authService, casesService] = definitions
  const authOwn = { databaseUrl: databases.auth.url, variables: { AUTH_SECRET: secret } }
  const auth = await startInProcess(authService, authOwn, addresses, parts(authService.name))
  // The recorded build knew no other services, so nothing listens at their addresses.
  const nowhere = Object.fromEntries(registry.casesAndCounters.asks.map((name) => [grpcAddressVariable(name), 'ipv4:127.0.0.1:1']))
  const known = { ...addresses, ...nowhere, ...addressesOf(authService.name, [auth]) }
  const casesOwn = { databaseUrl: databases.cases.url, variables: {} }
  const cases = await startInProcess(casesService, casesOwn, known, parts(casesService.name))
  transport.open()
  return {
    transport,
    authUrl: `${auth.httpUrl}/expert/rest`,
    casesUrl: `${cases.httpUrl}/expert/rest`,
    async stop() {
      await cases.stop()
      await auth.stop()
      await transport.stop()
    },
  }
}
