import type { Cluster } from '@caseway/install/postgres/cluster.mjs'
import { createDirectTransport } from '@caseway/kit/events'
import { lifecycle } from '@caseway/kit/lifecycle'
import { createMetrics, type Logger, startMetricsServer } from '@caseway/kit/observability'
import type { LocalConfig } from './config.js'
import type { Demo } from './demo-file.js'
import type { Home } from './home.js'
import { takeLock } from './lock.js'
import { findPorts, host, type Ports } from './ports.js'
import { openPostgres } from './postgres.js'
import { openSecrets } from './secrets.js'

interface PlatformOptions {
  config: LocalConfig
  home: Home
  createLog: (service: string) => Logger
  /** What was running has ended by itself. */
  onFailure(error: unknown): void
}

export interface Platform {
  /** Resolves when everything runs; to undefined when it was stopped before. */
  start(): Promise<Demo | undefined>
  stop(): Promise<void>
}
