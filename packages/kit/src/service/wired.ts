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

/** What a service is wired with. */
export interface WireContext<Own extends Variables, Client> extends Peers {
  readonly db: Database<Client>
  readonly config: OwnValues<Own>
  /** The sessions that have ended. They are followed only where the service has `streams`; everywhere else they stay unknown. */
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

/** What a service is made of. The kit starts and stops it, in the order in which it stands here. */
export interface Wired<Administration> {
  /** What verifies tokens, where the service has the keys itself; by default they are fetched from `JWKS_URL`. */
  readonly keys?: KeySet
  /** What must run before the first request. */
  readonly parts?: readonly Part[]
  /** What the secret of the service seals. The service does not start where that has another secret (see `requireSecret`). */
  readonly sealed?: readonly SealedColumn[]
  readonly streams?: Streams
  readonly routes: HttpAppOptions['routes']
  /** What the service sends to offices, for the document of the address for experts. */
  readonly webhooks?: DocumentedWebhooks
  /** The IANA name of the time zone in which an office reads times. */
  timeZoneOf(customerId: Id): Promise<string>
  /** Records a 403. By default it goes into the audit trail. */
  readonly onRefused?: OnRefused
  /** Says who has the rights that routes ask for. Needed where one does. */
  readonly hasRight?: HasRight
  /** With the names of the services that may call; needs `grpcVariables`. */
  readonly grpc?: Pick<GrpcServerOptions, 'services' | 'callers'>
  /** Share the events with the other copies of the service. Those of `copies` are not named here. */
  readonly consumers?: readonly Consumer[]
  /** What the purge deletes, beside the rows of the kit's own tables. */
  readonly retention?: readonly PurgeRule[]
  readonly jobs?: readonly JobHandler<unknown>[]
  /** Kept by their consumers, which share the events as well, and filled in the background once these have subscribed. */
  readonly copies?: readonly Copy[]
  /** Where the bytes are that columns `blob_key` name. */
  readonly blobs?: BlobStore
  /** What the operator of the installation can do: the command line and tests call it in their own process. */
  readonly administration: Administration
}

/** Every consumer of a service, with those of its copies. */
export const consumersOf = ({ consumers = [], copies = [] }: Pick<Wired<unknown>, 'consumers' | 'copies'>): Consumer[] => [
  ...consumers,
  ...copies.map(({ consumer }) => consumer),
]
