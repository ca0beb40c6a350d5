import { recordEncoder, resourceRoutes } from '@caseway/kit/http'
import type { Logger } from '@caseway/kit/observability'
import { endedSessions, sessionConsumer } from '@caseway/kit/sessions'
import type { TokenVerifier } from '@caseway/kit/tokens'
import { counterRepository } from './counters/counter.repository.js'
import { counterRoutes } from './counters/counter.routes.js'
import { counterService } from './counters/counter.service.js'
import { folderCountConsumer } from './counters/folder-count.consumer.js'
import { issueCounterRepository } from './counters/issue-counter.repository.js'
import { mailFolderCountRepository } from './counters/mail-folder-count.repository.js'
import type { Db } from './database.js'
import { feedRepository } from './feed/feed.repository.js'
import { feedHub } from './feed/feed-hub.service.js'
import { liveRoutes } from './feed/live.routes.js'
import { liveViews } from './feed/live-view.service.js'
import { ticketRepository } from './feed/ticket.repository.js'
import { ticketService } from './feed/ticket.service.js'
import { clientIssueResource } from './issues/client-issue.resource.js'
import { clientIssueService } from './issues/client-issue.service.js'
import { issueRepository } from './issues/issue.repository.js'
import { issueResource } from './issues/issue.resource.js'
import { issueService } from './issues/issue.service.js'
import type { CasesMetrics } from './metrics.js'
import type { Directory } from './people/directory.js'
import { linkRepository } from './people/link.repository.js'
import { peopleConsumers } from './people/people.consumer.js'
import { peopleRepository } from './people/people.repository.js'
import { peopleService } from './people/people.service.js'
import { tagRepository } from './tags/tag.repository.js'
import { tagResource } from './tags/tag.resource.js'
import { tagService } from './tags/tag.service.js'

interface Dependencies {
  readonly db: Db
  readonly directory: Directory
  readonly verifier: TokenVerifier
  /** Whether the sessions that ended before the start are known. */
  readonly sessionsKnown: () => boolean
  readonly defaultTimeZone: string
  readonly log: Logger
  readonly metrics: CasesMetrics
}

/** Who uses whom. */
export function wire({ db, directory, verifier, sessionsKnown, defaultTimeZone, log, metrics }: Dependencies) {
  const feeds = feedRepository(db)
  const links = linkRepository(db, feeds.followAccess)
  const people = peopleService(peopleRepository(db), links, directory, defaultTimeZone)
  const ended = endedSessions({ onEnd: (sessionId) => hub.endSession(sessionId) })
  const sessions = { has: ended.has, known: sessionsKnown }
  const hub = feedHub({ feeds, sessions, log, open: metrics.liveStreams })
  const issueCounters = issueCounterRepository(db, feeds.publishCounters)
  const counters = counterService(counterRepository(db), issueCounters, mailFolderCountRepository(db, feeds.publishCounters))
  const issueRows = issueRepository(db, [issueCounters.follow, feeds.follow], links.writeAs)
  const issues = issueService(issueRows, people)
  const clientIssues = clientIssueService(issueRows, people)
  const tags = tagService(tagRepository(db), people)
  const encoders = { encodeIssue: recordEncoder(issueResource), encodeClientIssue: recordEncoder(clientIssueResource) }
  const views = liveViews({ issues, clientIssues, counters, ...encoders })
  const live = liveRoutes({ hub, tickets: ticketService(ticketRepository(db)), verifier, views })

  const expert = [resourceRoutes(tagResource, tags), resourceRoutes(issueResource, issues), counterRoutes(counters), live]
  const client = [resourceRoutes(clientIssueResource, clientIssues), live]
  const consumers = [...peopleConsumers(people), folderCountConsumer(counters)]
  return { routes: { expert, client }, consumers, broadcasts: [sessionConsumer(ended)], ended, people, counters, hub }
}
