import type { Variables } from '../config/index.js'
import type { ClientClass, Database, PrismaClientLike } from '../database/index.js'
import type { EventTransport } from '../events/index.js'
import { createLog, createMetrics, type Logger, type Metrics } from '../observability/index.js'
import type { Tables } from '../tables/index.js'
import { closeAll, openService } from './open-service.js'
import type { ServiceConfig } from './service-config.js'
import type { ServiceDefinition } from './service-definition.js'
import { type RunningService, startService } from './start-service.js'
import { consumersOf, type Wired } from './wired.js'

export interface StartOptions {
  readonly transport: EventTransport
  /** Default a new log with the configured level. */
  readonly log?: Logger
  readonly metrics?: Metrics
}

/** A service without listeners, as the command line uses it. */
export type Administered<Administration> = Required<Pick<Wired<Administration>, 'routes' | 'consumers' | 'copies' | 'administration'>> &
  Pick<Wired<Administration>, 'grpc' | 'blobs'> & {
    readonly db: Database<unknown>
    close(): Promise<void>
  }

export interface Service<Administration = unknown> {
  readonly name: string
  readonly config: ServiceConfig
  readonly tables: Tables
  /**
   * Starts the service with the configuration in `env`. When the promise resolves, it accepts requests.
   * @throws ConfigError where the configuration is not usable
   */
  start(env: NodeJS.ProcessEnv, options: StartOptions): Promise<RunningService<Administration>>
  /**
   * Opens the service without listeners, running consumers and background work, for the command line. The service may be running at the same time.
   * @throws ConfigError where the configuration is not usable
   */
  open(env: NodeJS.ProcessEnv, log?: Logger): Promise<Administered<Administration>>
}

/**
 * Defines a service by its name, configuration, tables and Prisma client, and by `wire`, which builds its modules and returns what is served. The kit provides
 * everything else: pool, log, metrics, token verifier, HTTP, gRPC, relay, consumers, jobs, purge, copies, readiness and stop.
 */
export function defineService<Own extends Variables, Client extends ClientClass<PrismaClientLike>, Administration>(
  definition: ServiceDefinition<Own, Client, Administration>,
): Service<Administration> {
  const { name, config, tables } = definition
  return {
    name,
    config,
    tables,
    async start(env, { transport, log: given, metrics = createMetrics(name) }) {
      const values = config.read(env)
      const log = given ?? createLog({ service: name, level: values.logLevel })
      return startService(definition, values, { transport, log, metrics })
    },
    async open(env, log = createLog({ service: name, level: 'warn' })) {
      const sessions = { has: () => false, known: () => false }
      const values = config.administration.read(env)
      const { db, wired, opened } = await openService(definition, values, { log, metrics: createMetrics(name), sessions })
      const { routes, grpc, blobs, copies = [], administration } = wired
      return { db, routes, grpc, blobs, consumers: consumersOf(wired), copies, administration, close: () => closeAll(opened) }
    },
  }
}
