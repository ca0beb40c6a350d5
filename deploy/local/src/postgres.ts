import { randomUUID } from 'node:crypto'
import { existsSync, globSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Cluster, initCluster, startCluster } from '@caseway/install/postgres/cluster.mjs'
import { endLeftoverServer } from '@caseway/install/postgres/leftover.mjs'
import type { CertificateFiles } from '@caseway/kit/grpc'
import type { Home } from './home.js'
import { Problem } from './problem.js'

const majorVersion = '18'

interface PostgresOptions {
  password: string
  port?: number | undefined
  /** Enables TLS. */
  certificate?: CertificateFiles
  /** Settings of postgresql.conf. */
  settings?: Record<string, string>
}

/** Starts PostgreSQL with its data in `home`: initialized at the first start, and taken over from a killed process. */
export async function openPostgres(home: Home, options: PostgresOptions): Promise<Cluster> {
  const { password, port, certificate, settings = {} } = options
  const dataDir = home.postgres
  if (existsSync(dataDir)) checkData(home)
  else await makeData(dataDir, password)
  await endLeftoverServer(dataDir)

  rmSync(home.postgresLog, { force: true })
  try {
    return await startCluster({ dataDir, password, port, certificate, settings, logFile: home.postgresLog })
  } catch (cause) {
    throw new Problem(`The data in ${home.path} cannot be opened. ${(cause as Error).message}`, { cause })
  }
}

/**
 * Initializes the data folder, which gets its final name only when it is complete: after an interrupted first start the next one begins again, in a
 * new folder, because processes of the interrupted one may still be writing.
 */
async function makeData(dataDir: string, password: string): Promise<void> {
  for (const path of globSync(`${dataDir}.unfinished-*`)) rmSync(path, { recursive: true, force: true, maxRetries: 5 })
  const unfinished = `${dataDir}.unfinished-${randomUUID()}`
  await initCluster({ dataDir: unfinished, password })
  renameSync(unfinished, dataDir)
}

function checkData(home: Home): void {
  const path = join(home.postgres, 'PG_VERSION')
  if (!existsSync(path)) {
    throw new Problem(
      `The data in ${home.path} are damaged (postgres/PG_VERSION is missing): put back a copy, or delete the folder for a fresh start.`,
    )
  }
  const version = readFileSync(path, 'utf8').trim()
  if (version !== majorVersion) {
    throw new Problem(
      `The data in ${home.path} were made by PostgreSQL ${version}, and this is ${majorVersion}: use another folder with CASEWAY_HOME.`,
    )
  }
}
