import { grpcSecurity, poolSettings, type Variables } from '../config/index.js'
import { type ClientClass, createDatabase, type Database, type PrismaClientLike } from '../database/index.js'
import type { GrpcEndpoint } from '../grpc/index.js'
import type { Part } from '../lifecycle/index.js'
import type { Logger } from '../observability/index.js'
import { type AdministrationValues, addressOf, type OwnValues } from './service-config.js'
import type { ServiceDefinition } from './service-definition.js'
import type { WireContext, Wired } from './wired.js'

/** A service that is wired, but not running. */
export interface OpenedService<Administration> {
  readonly db: Database<unknown>
  readonly wired: Wired<Administration>
  /** The parts to close in reverse order: the database, and what `wire` has registered by `onClose`. */
  readonly opened: readonly Part[]
}

/** An address on which nothing listens. */
const UNREACHABLE_ADDRESS = 'ipv4:127.0.0.1:1'

type Context = Pick<WireContext<Variables, unknown>, 'log' | 'metrics' | 'sessions'>

/** Creates the database and wires the service, without connecting. Where `wire` fails, everything that was opened is closed. */
export async function openService<Own extends Variables, Client extends ClientClass<PrismaClientLike>, Administration>(
  { client, wire }: ServiceDefinition<Own, Client, Administration>,
  config: AdministrationValues & OwnValues<Own>,
  context: Context,
): Promise<OpenedService<Administration>> {
  const { log, metrics } = context
  const db = createDatabase({
    url: config.databaseUrl,
    client,
    pool: poolSettings(config),
    log,
    metrics,
  })
  const opened: Part[] = [{ name: 'database', start: () => db.warmUp(), stop: () => db.close() }]
  const onClose = (name: string, close: () => unknown) => void opened.push({ name, stop: close })
  const peer = (name: string) => peerOf(config, name, log)
  try {
    return { db, wired: await wire({ ...context, db: db as Database<InstanceType<Client>>, config, peer, onClose }), opened }
  } catch (error) {
    await closeAll(opened)
    throw error
  }
}

/** The endpoint of another service. Without a configured address, every call to it rejects with `unavailable`. */
export function peerOf(config: AdministrationValues, name: string, log: Logger): GrpcEndpoint {
  const address = addressOf(config, name)
  return address ? { address, security: grpcSecurity(config), log } : { address: UNREACHABLE_ADDRESS, security: 'plaintext', log }
}

/** Closes parts in reverse order. */
export async function closeAll(opened: readonly Part[]): Promise<void> {
  for (const { stop } of opened.toReversed()) await stop()
}
