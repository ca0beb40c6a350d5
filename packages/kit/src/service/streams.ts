import pTimeout from 'p-timeout'
import { type EventTransport, startConsumers } from '../events/index.js'
import type { GrpcEndpoint } from '../grpc/index.js'
import type { Lifecycle } from '../lifecycle/index.js'
import type { Metrics } from '../observability/index.js'
import {
  authSessions,
  type EndedSessions,
  type FollowedSessions,
  type FollowOptions,
  followEndedSessions,
  sessionConsumer,
} from '../sessions/index.js'
import type { Streams } from './wired.js'

interface StreamOptions {
  readonly name: string
  readonly streams: Streams
  readonly ended: EndedSessions
  readonly auth: GrpcEndpoint
  readonly transport: EventTransport
  readonly metrics: Metrics
}

/** How long the start waits for auth's list of ended sessions, in milliseconds. Without it the service starts, but refuses streams. */
const firstReadMs = 3_000

/**
 * Adds the streams of a service, which end with their session. They start after the subscription to ended sessions, and after the list of sessions that ended
 * before it.
 * @returns a function that returns the followed sessions; see `Lifecycle.running`
 */
export function addStreams(life: Lifecycle, { name, streams, ended, auth, transport, metrics }: StreamOptions): () => FollowedSessions {
  const { log } = auth
  const source = authSessions(auth)
  const consumers = [sessionConsumer(ended)]
  life.add({ name: 'auth, for ended sessions', stop: () => source.close() })
  life.running('broadcasts', () => startConsumers({ transport, group: name, consumers, broadcast: true, log, metrics }))
  const following = life.running('ended sessions', () => followAtFirst({ ended, source, log, eventsAway: () => !transport.receiving() }))
  life.add({ name: 'live streams', start: () => streams.start(), stop: () => streams.stop() })
  return following
}

async function followAtFirst(options: FollowOptions): Promise<FollowedSessions> {
  const following = followEndedSessions(options)
  await pTimeout(following.firstRead, { milliseconds: firstReadMs, message: false })
  return following
}
