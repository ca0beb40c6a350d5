import type { BlobStore } from '../blobs/index.js'
import type { Id } from '../caller/index.js'
import type { Variables } from '../config/index.js'
import type { Database, SealedColumn } from '../database/index.js'
import type { Consumer, Copy } from '../events/index.js'
import type { GrpcServerOptions, Peers } from '../grpc/index.js'
import type { DocumentedWebhooks, HasRight, HttpAppOptions, OnRefused } from '../http/index.js'
import type { JobHandler } from '../jobs/index.js'
import type { Part } from '../lifecycle/index.js'
import type { Logger, Metrics } from '../observability/index.js'
import type { PurgeRule } from '../purge/index.js'
import type { KeySet } from '../tokens/index.js'
import type { OwnValues } from './service-config.js'

/** The argument of `wire`. */
export interface WireContext<Own extends Variables, Client> extends Peers {
  readonly db: Database<Client>
  readonly config: OwnValues<Own>
  /** The sessions that have ended. Followed only where the service has `streams`; otherwise `known` always returns false. */
  readonly sessions: { has(sessionId: string): boolean; known(): boolean }
  readonly log: Logger
  readonly metrics: Metrics
}

/** Answers that do not end by themselves, such as Server-Sent Events. */
export interface Streams {
  start(): Promise<unknown>
  /** Ends every stream. May be called twice. */
  stop(): Promise<unknown>
  /** Ends the streams of a session that is over. */
  endSession(sessionId: string): void
}

/** The result of `wire`: the parts of a service, in the order in which the kit starts them. */
export interface Wired<Administration> {
  /** The keys that verify tokens, for the service that owns them. By default they are fetched from `JWKS_URL`. */
  readonly keys?: KeySet
  /** Parts that must run before the first request. */
  readonly parts?: readonly Part[]
  /** The columns that the secret of the service seals. The service does not start where another secret has sealed them (see `requireSecret`). */
  readonly sealed?: readonly SealedColumn[]
  readonly streams?: Streams
  readonly routes: HttpAppOptions['routes']
  /** The requests that the service sends to offices, for the document of the address for experts. */
  readonly webhooks?: DocumentedWebhooks
  /** The IANA name of the time zone in which an office reads times. */
  timeZoneOf(customerId: Id): Promise<string>
  /** Called for each 403. Default `publishRefusals`, which writes it to the audit trail. */
  readonly onRefused?: OnRefused
  /** Checks `config.right` of routes. Required where a route has one. */
  readonly hasRight?: HasRight
  /** The gRPC services, and the names of the services that may call them. Needs `grpcVariables`. */
  readonly grpc?: Pick<GrpcServerOptions, 'services' | 'callers'>
  /** The consumers, except those of `copies`. All copies of the service form one consumer group. */
  readonly consumers?: readonly Consumer[]
  /** The rules of the purge for the service's own tables. */
  readonly retention?: readonly PurgeRule[]
  readonly jobs?: readonly JobHandler<unknown>[]
  /** Copies of other services' records. Their consumers are in the same consumer group; they are filled in the background once these have subscribed. */
  readonly copies?: readonly Copy[]
  /** The store of the blobs that columns `blob_key` name. */
  readonly blobs?: BlobStore
  /** The operations of an operator, which the command line and tests call in their own process. */
  readonly administration: Administration
}

/** All consumers of a service, including those of its copies. */
export const consumersOf = ({ consumers = [], copies = [] }: Pick<Wired<unknown>, 'consumers' | 'copies'>): Consumer[] => [
  ...consumers,
  ...copies.map(({ consumer }) => consumer),
]
