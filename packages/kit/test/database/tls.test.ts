import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CertificateFiles, writeCertificates } from '@caseway/install/certificates/authority.mjs'
import { type Cluster, initCluster, startCluster } from '@caseway/install/postgres/cluster.mjs'
import { databaseConnection } from '@caseway/kit/database-address'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pg from 'pg'

const folder = mkdtempSync(join(tmpdir(), 'caseway-pg-tls-'))
const password = randomUUID()
let own: CertificateFiles
let foreign: CertificateFiles
const servers: Cluster[] = []

async function start(name: string, certificate: CertificateFiles): Promise<Cluster> {
  const place = { dataDir: join(folder, name), password }
  await initCluster({ ...place, durable: false })
  const server = await startCluster({ ...place, certificate, logFile: join(folder, `${name}.log`) })
  servers.push(server)
  return server
}

beforeAll(async () => {
  const certificates = await writeCertificates(join(folder, 'own'), { postgres: ['127.0.0.1'], other: ['localhost'] })
  own = certificates.postgres
  foreign = (await writeCertificates(join(folder, 'foreign'), { postgres: [] })).postgres
  await start('named', certificates.postgres)
  await start('misnamed', certificates.other)
}, 60_000)
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()))
  rmSync(folder, { recursive: true, force: true })
})

/** Whether a connection uses TLS, according to the server. */
async function isTls(url: string): Promise<boolean> {
  const client = new pg.Client(databaseConnection(url))
  await client.connect()
  try {
    const { rows } = await client.query<{ ssl: boolean }>('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()')
    return rows[0]?.ssl ?? false
  } finally {
    await client.end()
  }
}

/** The address of the server whose certificate names its host, or of the one whose certificate does not. */
function at(server: 'named' | 'misnamed', parameters: Record<string, string>): string {
  const url = new URL(servers[server === 'named' ? 0 : 1]?.url('postgres') ?? '')
  url.search = new URLSearchParams(parameters).toString()
  return url.href
}

describe('sslmode', () => {
  it('disable is plain text, and so is a missing sslmode', async () => {
    expect(await isTls(at('named', {}))).toBe(false)
    expect(await isTls(at('named', { sslmode: 'disable' }))).toBe(false)
  })

  it('require is TLS with any server, and verifies the authority where sslrootcert names one', async () => {
    expect(await isTls(at('misnamed', { sslmode: 'require' }))).toBe(true)
    expect(await isTls(at('misnamed', { sslmode: 'require', sslrootcert: own.caFile }))).toBe(true)
    await expect(isTls(at('named', { sslmode: 'require', sslrootcert: foreign.caFile }))).rejects.toThrow(/certificate/)
  })

  it('require is refused by a server without TLS', async () => {
    const without = new URL(process.env.CASEWAY_TEST_POSTGRES_URL ?? '')
    without.search = '?sslmode=require'
    await expect(isTls(without.href)).rejects.toThrow('The server does not support SSL connections')
  })

  it('verify-ca accepts any certificate of the authority, whatever host it names', async () => {
    expect(await isTls(at('misnamed', { sslmode: 'verify-ca', sslrootcert: own.caFile }))).toBe(true)
    await expect(isTls(at('named', { sslmode: 'verify-ca', sslrootcert: foreign.caFile }))).rejects.toThrow(/certificate/)
  })

  it('verify-full accepts only a certificate of the authority that names the host', async () => {
    expect(await isTls(at('named', { sslmode: 'verify-full', sslrootcert: own.caFile }))).toBe(true)
    await expect(isTls(at('misnamed', { sslmode: 'verify-full', sslrootcert: own.caFile }))).rejects.toThrow(/127\.0\.0\.1/)
    await expect(isTls(at('named', { sslmode: 'verify-full', sslrootcert: foreign.caFile }))).rejects.toThrow(/certificate/)
    await expect(isTls(at('named', { sslmode: 'verify-full', sslrootcert: 'system' }))).rejects.toThrow(/certificate/)
  })

  it.each([{ sslmode: 'prefer' }, { sslmode: 'allow' }, { sslmode: 'no-verify' }, { sslmode: 'verify-full' }, { sslmode: 'verify-ca' }])(
    'is rejected as %j without further parameters',
    async (parameters) => {
      expect(() => databaseConnection(at('named', parameters))).toThrow('The address of a database must have')
    },
  )
})
