import { grpcSecurity, poolSettings, type Variables } from '../config/index.js'
import { type ClientClass, createDatabase, type Database, type PrismaClientLike } from '../database/index.js'
import type { GrpcEndpoint } from '../grpc/index.js'
import type { Part } from '../lifecycle/index.js'
import type { Logger } from '../observability/index.js'
import { type AdministrationValues, addressOf, type OwnValues } from './service-config.js'
import type { ServiceDefinition } from './service-definition.js'
import type { WireContext, Wired } from './wired.js'

/** A service that is wired and does not run. */
export interface OpenedService<Administration> {
  readonly db: Database<unknown>
  readonly wired: Wired<Administration>
  /** What has to be closed, in the order in which it was opened. */
  readonly opened: readonly Part[]
}

/** A port without a listener. */
const UNREACHABLE_ADDRESS = 'ipv4:127.0.0.1:1'

type Context = Pick<WireContext<Variables, unknown>, 'log' | 'metrics' | 'sessions'>

/** Makes the database and wires the service; connects to nothing yet. When `wire` fails, what it has opened is closed. */
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

/** Where another service answers gRPC; without a configured address, one without a listener. */
export function peerOf(config: AdministrationValues, name: string, log: Logger): GrpcEndpoint {
  const address = addressOf(config, name)
  return address ? { address, security: grpcSecurity(config), log } : { address: UNREACHABLE_ADDRESS, security: 'plaintext', log }
}

/** In the reverse of the order in which they were opened. */
export async function closeAll(opened: readonly Part[]): Promise<void> {
  for (const { stop } of opened.toReversed()) await stop()
}
