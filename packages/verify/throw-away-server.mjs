import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { initCluster, startCluster } from '../install/postgres/cluster.mjs'

/** Starts an empty PostgreSQL from its npm package, which its caller stops. */
export async function throwAwayServer() {
  const folder = await mkdtemp(join(tmpdir(), 'caseway-verify-'))
  // mkdtemp creates a private folder, but PostgreSQL runs as another user if this process is root.
  await chmod(folder, 0o755)
  const place = { dataDir: join(folder, 'data'), logFile: join(folder, 'log'), password: randomBytes(12).toString('hex') }
  await initCluster({ ...place, durable: false })
  return startCluster({ ...place, settings: { fsync: 'off' }, removeAfter: folder })
}
