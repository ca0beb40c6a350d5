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
  /** By default a log of the level that the configuration names. */
  readonly log?: Logger
  readonly metrics?: Metrics
}

/** A service without its listeners. */
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
   * Starts the service as the variables of `env` say; it takes requests when the promise resolves.
   * @throws ConfigError when the variables are not usable
   */
  start(env: NodeJS.ProcessEnv, options: StartOptions): Promise<RunningService<Administration>>
  /**
   * The service without listeners, consumers and background work, for the command line: it works beside the running service and without it.
   * @throws ConfigError when the variables are not usable
   */
  open(env: NodeJS.ProcessEnv, log?: Logger): Promise<Administered<Administration>>
}

/**
 * Defines a service: its name, its configuration, its Prisma client, and `wire`, which builds its modules and says what is served of them.
 * Everything else (pool, log, metrics, verifier, HTTP, gRPC, relay, consumers, purge, copies, readiness and stop) is the kit's.
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
