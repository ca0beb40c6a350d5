import type { Peers } from '@caseway/kit/grpc'
import type { Logger, Metrics } from '@caseway/kit/observability'
import type { Db } from '../database.js'
import { feedRepository } from './feed.repository.js'
import { type FeedHubOptions, feedHub } from './feed-hub.service.js'
import { feedMetrics } from './feed-metrics.js'
import { feedRetention } from './feed-retention.js'
import { grpcMailDirectory } from './grpc-mail-directory.client.js'
import { liveRoutes } from './live.routes.js'
import { type LiveSources, liveViews } from './live-view.service.js'
import { changedMail } from './mail-message.consumer.js'
import { publishIssues } from './published-issues.repository.js'
import { publishedMailRepository } from './published-mail.repository.js'
import { ticketRepository } from './ticket.repository.js'
import { ticketService } from './ticket.service.js'

export interface FeedParts extends Peers {
  readonly sessions: FeedHubOptions['sessions']
  readonly log: Logger
  readonly metrics: Metrics
}

/** The live streams. Other modules follow and publish in the transactions of their changes. */
export function wireFeed(db: Db, { peer, onClose, sessions, log, metrics }: FeedParts) {
  const feeds = feedRepository(db)
  const hub = feedHub({ feeds, sessions, log, open: feedMetrics(metrics).liveStreams })
  const tickets = ticketService(ticketRepository(db))
  const mail = grpcMailDirectory({ peer, onClose })
  const { follow, followAccess, publishCounters, publishingNotifications } = feeds
  return {
    ...{ follow, followAccess, publishCounters, publishingNotifications, publishIssues },
    hub,
    routesFor: (sources: Omit<LiveSources, 'mail'>) => liveRoutes({ hub, tickets, views: liveViews({ ...sources, mail }) }),
    consumer: changedMail(publishedMailRepository(db)),
    retention: feedRetention,
  }
}
