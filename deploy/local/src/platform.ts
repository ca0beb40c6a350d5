import { createDirectTransport } from '@caseway/kit/events'
import { type Lifecycle, lifecycle } from '@caseway/kit/lifecycle'
import { createMetrics, type Logger, startMetricsServer } from '@caseway/kit/observability'
import type { LocalConfig } from './config.js'
import { openDatabase } from './databases.js'
import { ensureDemo } from './demo/demo.js'
import type { Demo } from './demo/demo-file.js'
import type { Home } from './home.js'
import { takeLock } from './lock.js'
import { findPorts, host } from './ports.js'
import { openPostgres } from './postgres.js'
import { Problem } from './problem.js'
import { openSecrets } from './secrets.js'
import { servicesOf } from './services.js'

/** A stop that takes longer is given up; PostgreSQL then ends with the process. */
const stopTimeoutMs = 8000

interface PlatformOptions {
  config: LocalConfig
  home: Home
  logOf: (service: string) => Logger
  /** What was running has ended by itself. */
  onFailure(error: unknown): void
}

export interface Platform {
  /** Resolves when everything runs; to undefined when it was stopped before. */
  start(): Promise<Demo | undefined>
  stop(): Promise<void>
}

/** The parts of the platform, in the order in which they need each other. */
export function createPlatform({ config, home, logOf, onFailure }: PlatformOptions): Platform {
  const life = lifecycle({ log: logOf('local'), readinessDelayMs: 0, stopTimeoutMs })
  const part = partsOf(life)
  const metrics = { auth: createMetrics('auth'), cases: createMetrics('cases-and-counters'), gateway: createMetrics('gateway') }

  part('lock', () => takeLock(home.lock))
  const ports = part('ports', () => findPorts(config))
  const secrets = part('secrets', () => openSecrets(home))
  const postgres = part('postgres', () => openPostgres(home, secrets().postgres))

  return {
    async start() {
      await life.start()
      return life.ready() ? demo() : undefined
    },
    stop: life.stop,
  }
}

/** Adds parts that are there only when they run: what `part` gives back is the way to them. */
function partsOf(life: Lifecycle) {
  return <T>(name: string, start: () => T | Promise<T>, stop: (part: T) => unknown = () => undefined): (() => T) => {
    let running: { part: T } | undefined
    life.add({
      name,
      start: async () => {
        running = { part: await start() }
      },
      stop: () => running && stop(running.part),
    })
    return () => {
      if (!running) throw new Error(`${name} does not run.`)
      return running.part
    }
  }
}
