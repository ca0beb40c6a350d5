import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { databaseConnection } from '@caseway/kit/database-address'
import type { CertificateFiles } from '@caseway/kit/grpc'
import pg from 'pg'
import { GenericContainer, type StartedNetwork, type StartedTestContainer, Wait } from 'testcontainers'
import { startWithTls } from '../support/postgres-server.js'
import { images } from './images.js'
import { logOf } from './logs.js'

/** A PostgreSQL like that of a cloud provider: TLS, an owner who is no superuser, and a database for each service. */
export interface Postgres {
  container: StartedTestContainer
  /** The URL of a database, from the network of the containers or from this machine, with verified TLS. */
  url(database: string, user: Login, from?: 'network' | 'here'): string
  owner: Login
}

export interface Login {
  name: string
  password: string
}

export const login = (name: string): Login => ({ name, password: randomBytes(16).toString('hex') })

interface PostgresOptions {
  databases: readonly string[]
  certificate: CertificateFiles
  /** The path of the CA certificate in the containers. */
  caFileInside: string
}

export async function startPostgres(network: StartedNetwork, { databases, certificate, caFileInside }: PostgresOptions): Promise<Postgres> {
  const [superuser, owner] = [login('postgres'), login('owner')]
  const container = await new GenericContainer(images.postgres)
    .withNetwork(network)
    .withNetworkAliases('postgres')
    .withExposedPorts(5432)
    .withEnvironment({ POSTGRES_PASSWORD: superuser.password })
    .withTmpFs({ '/var/lib/postgresql': 'rw' })
    .withCopyContentToContainer([
      { target: '/tmp/server.crt', content: readFileSync(certificate.certFile, 'utf8') },
      { target: '/tmp/server.key', content: readFileSync(certificate.keyFile, 'utf8') },
    ])
    .withEntrypoint(['bash', '-c', startWithTls('/tmp')])
    // The log line appears twice: first for the temporary server that initializes the cluster.
    .withWaitStrategy(Wait.forLogMessage(/ready to accept connections/, 2))
    .withLogConsumer(logOf('postgres'))
    .start()
  const places = {
    network: { host: 'postgres:5432', sslrootcert: caFileInside },
    here: { host: `${container.getHost()}:${container.getMappedPort(5432)}`, sslrootcert: certificate.caFile },
  }
  const url: Postgres['url'] = (database, { name, password }, from = 'network') => {
    const { host, sslrootcert } = places[from]
    return `postgresql://${name}:${password}@${host}/${database}?${new URLSearchParams({ sslmode: 'verify-full', sslrootcert })}`
  }

  const client = new pg.Client(databaseConnection(url('postgres', superuser, 'here')))
  await client.connect()
  await client.query(`CREATE ROLE owner LOGIN CREATEROLE PASSWORD '${owner.password}'`)
  for (const database of databases) await client.query(`CREATE DATABASE ${pg.escapeIdentifier(database)} OWNER owner`)
  await client.end()
  return { container, url, owner }
}
