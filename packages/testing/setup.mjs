/** Runs before all test files: starts one PostgreSQL and creates one key that signs tokens. */
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { chmod, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { initCluster, startCluster } from '@caseway/install/postgres/cluster.mjs'

/** The data are disposable, so durability is switched off. */
const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off', max_connections: '200' }

export default async function setup() {
  const folder = await mkdtemp(join(tmpdir(), 'caseway-test-'))
  // mkdtemp creates a private folder, but PostgreSQL runs as another user if this process is root.
  await chmod(folder, 0o755)
  const server = { dataDir: join(folder, 'data'), logFile: join(folder, 'log'), password: randomBytes(12).toString('hex') }
  await initCluster({ ...server, durable: false })
  const cluster = await startCluster({ ...server, settings, removeAfter: folder })
  globalThis.casewayTestCluster = cluster
  process.env.CASEWAY_TEST_POSTGRES_URL = cluster.url('postgres')
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  process.env.CASEWAY_TEST_PRIVATE_KEY = privateKey.export({ type: 'pkcs8', format: 'pem' })
}
