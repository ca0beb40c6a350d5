import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { GenericContainer, type StartedNetwork, type StartedTestContainer, Wait } from 'testcontainers'
import { images } from './images.js'
import { logOf } from './logs.js'

/** A PostgreSQL as a provider of databases gives it: an owner that is no superuser, with a database for each service. */
export interface Postgres {
  container: StartedTestContainer
  /** The address of a database in the network of the containers, or as it is seen from here. */
  url(database: string, user: Login, from?: 'network' | 'here'): string
  owner: Login
}

export interface Login {
  name: string
  password: string
}

export const login = (name: string): Login => ({ name, password: randomBytes(16).toString('hex') })

export async function startPostgres(network: StartedNetwork, databases: readonly string[]): Promise<Postgres> {
  const [superuser, owner] = [login('postgres'), login('owner')]
  const container = await new GenericContainer(images.postgres)
    .withNetwork(network)
    .withNetworkAliases('postgres')
    .withExposedPorts(5432)
    .withEnvironment({ POSTGRES_PASSWORD: superuser.password })
    .withTmpFs({ '/var/lib/postgresql': 'rw' })
    .withCommand(['-c', 'fsync=off'])
    // Twice: the first time only the server that makes the cluster is ready.
    .withWaitStrategy(Wait.forLogMessage(/ready to accept connections/, 2))
    .withLogConsumer(logOf('postgres'))
    .start()
  const places = { network: 'postgres:5432', here: `${container.getHost()}:${container.getMappedPort(5432)}` }
  const url: Postgres['url'] = (database, { name, password }, from = 'network') =>
    `postgresql://${name}:${password}@${places[from]}/${database}`

  const client = new pg.Client(url('postgres', superuser, 'here'))
  await client.connect()
  await client.query(`CREATE ROLE owner LOGIN CREATEROLE PASSWORD '${owner.password}'`)
  for (const database of databases) await client.query(`CREATE DATABASE ${pg.escapeIdentifier(database)} OWNER owner`)
  await client.end()
  return { container, url, owner }
}
