import { fileURLToPath } from 'node:url'
import { passwordKey } from '@caseway/command/local-secrets'
import type { Cluster } from '@caseway/install/postgres/cluster.mjs'
import { databaseConnection } from '@caseway/kit/database-address'
import { migrate } from '@caseway/kit/migrations'
import pg from 'pg'
import type { Secrets } from './secrets.js'

/**
 * Creates the database of a service if necessary, and migrates it.
 * @returns the database URL of the service, with a role that owns nothing
 */
export async function openDatabase(cluster: Cluster, name: string, secrets: Secrets): Promise<string> {
  const password = secrets[passwordKey(name)] ?? ''
  await create(cluster, name)
  const dir = migrationsOf(name)
  await migrate({ ownerUrl: cluster.url(name), serviceRole: name, servicePassword: password, dir })
  return cluster.url(name, name, password)
}

async function create(cluster: Cluster, name: string): Promise<void> {
  const server = new pg.Client(databaseConnection(cluster.url('postgres')))
  // The statement rejects as well; an 'error' without a listener would end the process.
  server.on('error', () => undefined)
  await server.connect()
  try {
    const { rowCount } = await server.query('SELECT FROM pg_database WHERE datname = $1', [name])
    if (!rowCount) await server.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`)
  } finally {
    await server.end()
  }
}

const migrationsOf = (service: string) => fileURLToPath(new URL(`../../../services/${service}/prisma/migrations`, import.meta.url))
