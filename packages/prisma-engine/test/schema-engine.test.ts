import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type CertificateFiles, writeCertificates } from '@caseway/install/certificates/authority.mjs'
import { type Cluster, initCluster, startCluster } from '@caseway/install/postgres/cluster.mjs'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pg from 'pg'

const engine = fileURLToPath(new URL('../schema-engine.mjs', import.meta.url))
const prisma = fileURLToPath(new URL('../prisma-local.mjs', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'caseway-schema-engine-'))
let own: CertificateFiles
let foreign: CertificateFiles
let server: Cluster

beforeAll(async () => {
  const certificates = await writeCertificates(join(folder, 'own'), { postgres: ['localhost'] })
  own = certificates.postgres
  foreign = (await writeCertificates(join(folder, 'foreign'), { postgres: [] })).postgres
  const place = { dataDir: join(folder, 'data'), password: randomUUID() }
  await initCluster({ ...place, durable: false })
  server = await startCluster({ ...place, certificate: own, logFile: join(folder, 'log'), settings: { log_statement: 'ddl' } })
}, 60_000)
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** The URL of the server, whose certificate is for localhost and not for 127.0.0.1. */
function address(parameters: Record<string, string>, host = '127.0.0.1', database = 'postgres'): string {
  const url = new URL(server.url(database))
  url.hostname = host
  url.search = new URLSearchParams(parameters).toString()
  return url.href
}

function command(name: string, url: string): { status: number | null; said: string } {
  const { status, stderr } = spawnSync(process.execPath, [engine, '--datasource', JSON.stringify({ url }), 'cli', name], {
    encoding: 'utf8',
  })
  return { status, said: stderr }
}

async function databases(): Promise<string[]> {
  const client = new pg.Client(address({}))
  await client.connect()
  const { rows } = await client.query<{ datname: string }>('SELECT datname FROM pg_database WHERE NOT datistemplate ORDER BY 1')
  await client.end()
  return rows.map(({ datname }) => datname)
}

describe('sslmode', () => {
  const connects = (url: string) => command('can-connect-to-database', url)

  it.each([
    ['none', {}, '127.0.0.1'],
    ['disable', { sslmode: 'disable' }, '127.0.0.1'],
    ['require', { sslmode: 'require' }, '127.0.0.1'],
  ])('%s does not ask for the certificate', (_, parameters, host) => {
    expect(connects(address(parameters, host))).toMatchObject({ status: 0 })
  })

  it('require and verify-ca verify the authority, if one is given', () => {
    for (const sslmode of ['require', 'verify-ca']) {
      expect(connects(address({ sslmode, sslrootcert: own.caFile }))).toMatchObject({ status: 0 })
      expect(connects(address({ sslmode, sslrootcert: foreign.caFile }))).toMatchObject({
        status: 1,
        said: expect.stringContaining('certificate'),
      })
    }
  })

  it('verify-full verifies the authority and the host', () => {
    expect(connects(address({ sslmode: 'verify-full', sslrootcert: own.caFile }, 'localhost'))).toMatchObject({ status: 0 })
    const refused = (parameters: Record<string, string>, host: string) =>
      expect(connects(address({ sslmode: 'verify-full', ...parameters }, host))).toMatchObject({
        status: 1,
        said: expect.stringContaining('certificate'),
      })
    refused({ sslrootcert: foreign.caFile }, 'localhost')
    refused({ sslrootcert: 'system' }, 'localhost')
    const { status, said } = connects(address({ sslmode: 'verify-full', sslrootcert: own.caFile }))
    expect({ status, said }).toEqual({ status: 1, said: expect.stringContaining("127.0.0.1 is not in the cert's list") })
  })

  it.each(['prefer', 'allow', 'no-verify'])('%s is refused', (sslmode) => {
    expect(connects(address({ sslmode }))).toEqual({ status: 1, said: expect.stringContaining(`sslmode=${sslmode} is not supported`) })
  })
})

it('creates a database, and drops none', async () => {
  const url = address({}, '127.0.0.1', 'made "here"')
  expect(command('create-database', url)).toMatchObject({ status: 0 })
  expect(await databases()).toEqual(['made "here"', 'postgres'])
  expect(command('drop-database', url)).toEqual({ status: 1, said: expect.stringContaining('drop-database is not supported') })
  expect(await databases()).toEqual(['made "here"', 'postgres'])
})

it('compares migrations with a schema in a shadow database that it drops, without ending connections of others', async () => {
  const write = (path: string, content: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  const model = (field: string) => `datasource db {\n provider = "postgresql"\n }\n model Note {\n id BigInt @id\n ${field}\n }`
  write('same.prisma', model('text String'))
  write('different.prisma', model('text String?'))
  write('migrations/migration_lock.toml', 'provider = "postgresql"')
  const sql = `CREATE TABLE "Note" ("id" BIGINT NOT NULL, "text" TEXT NOT NULL, CONSTRAINT "Note_pkey" PRIMARY KEY ("id"));
    CREATE FUNCTION "one"() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN 1; END $$;`
  write('migrations/1_init/migration.sql', sql)
  write('prisma.config.mjs', `export default { datasource: { url: ${JSON.stringify(address({}))} } }`)
  const before = await databases()
  const difference = (schema: string) => {
    const args = ['migrate', 'diff', '--from-migrations', 'migrations', '--to-schema', schema, '--exit-code']
    const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: engine }
    return spawnSync(process.execPath, [prisma, ...args], { cwd: folder, env, encoding: 'utf8' })
  }
  expect(difference('same.prisma')).toMatchObject({ status: 0 })
  expect(difference('different.prisma')).toMatchObject({ status: 2, stdout: expect.stringContaining('from Required to Nullable') })
  expect(await databases()).toEqual(before)
  const log = readFileSync(join(folder, 'log'), 'utf8')
  expect(log.match(/DROP DATABASE .*/g)).toEqual(
    Array(2).fill(expect.stringMatching(/^DROP DATABASE "prisma_migrate_shadow_db_[0-9a-f-]{36}"$/)),
  )
})
