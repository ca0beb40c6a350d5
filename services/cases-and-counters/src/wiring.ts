import { recordEncoder, resourceRoutes } from '@caseway/kit/http'
import { defineService } from '@caseway/kit/service'
import { config } from './config.js'
import { counterRepository } from './counters/counter.repository.js'
import { counterRoutes } from './counters/counter.routes.js'
import { counterService } from './counters/counter.service.js'
import { counterCheck } from './counters/counter-check.job.js'
import { counterCheckRepository } from './counters/counter-check.repository.js'
import { counterMetrics } from './counters/counter-metrics.js'
import { folderCountConsumer } from './counters/folder-count.consumer.js'
import { issueCounterRepository } from './counters/issue-counter.repository.js'
import { mailFolderCountRepository } from './counters/mail-folder-count.repository.js'
import { feedRepository } from './feed/feed.repository.js'
import { feedHub } from './feed/feed-hub.service.js'
import { feedMetrics } from './feed/feed-metrics.js'
import { feedRetention } from './feed/feed-retention.js'
import { liveRoutes } from './feed/live.routes.js'
import { liveViews } from './feed/live-view.service.js'
import { ticketRepository } from './feed/ticket.repository.js'
import { ticketService } from './feed/ticket.service.js'
import { PrismaClient } from './generated/client.js'
import { clientIssueResource } from './issues/client-issue.resource.js'
import { clientIssueService } from './issues/client-issue.service.js'
import { issueRepository } from './issues/issue.repository.js'
import { issueResource } from './issues/issue.resource.js'
import { issueService } from './issues/issue.service.js'
import { authDirectory } from './people/auth-directory.client.js'
import { linkRepository } from './people/link.repository.js'
import { peopleConsumers } from './people/people.consumer.js'
import { peopleRepository } from './people/people.repository.js'
import { peopleService } from './people/people.service.js'
import { tagRepository } from './tags/tag.repository.js'
import { tagResource } from './tags/tag.resource.js'
import { tagService } from './tags/tag.service.js'

export const casesAndCounters = defineService({
  name: 'cases-and-counters',
  config,
  client: PrismaClient,

  /** Who uses whom. */
  wire({ db, config, peer, sessions, onClose, log, metrics }) {
    const directory = authDirectory(peer('auth'))
    onClose('directory of auth', () => directory.close())
    const feeds = feedRepository(db)
    const links = linkRepository(db, feeds.followAccess)
    const people = peopleService(peopleRepository(db), links, directory, config.defaultTimeZone)
    const hub = feedHub({ feeds, sessions, log, open: feedMetrics(metrics).liveStreams })
    const issueCounters = issueCounterRepository(db, feeds.publishCounters)
    const counters = counterService(counterRepository(db), issueCounters, mailFolderCountRepository(db, feeds.publishCounters))
    const issueRows = issueRepository(db, [issueCounters.follow, feeds.follow], links.writeAs)
    const issues = issueService(issueRows, people)
    const clientIssues = clientIssueService(issueRows, people)
    const tags = tagService(tagRepository(db), people)
    const encoders = { encodeIssue: recordEncoder(issueResource), encodeClientIssue: recordEncoder(clientIssueResource) }
    const views = liveViews({ issues, clientIssues, counters, ...encoders })
    const live = liveRoutes({ hub, tickets: ticketService(ticketRepository(db)), views })
    const checks = counterCheckRepository(db)
    const checkMetrics = counterMetrics(metrics, checks.drift)
    const everyMs = config.counterCheckSeconds * 1000

    return {
      routes: {
        expert: [resourceRoutes(tagResource, tags), resourceRoutes(issueResource, issues), counterRoutes(counters), live],
        client: [resourceRoutes(clientIssueResource, clientIssues), live],
      },
      streams: hub,
      timeZoneOf: people.timeZoneOf,
      consumers: [...peopleConsumers(people), folderCountConsumer(counters)],
      copies: people.copies,
      retention: feedRetention,
      jobs: everyMs > 0 ? [counterCheck({ counters, checks, metrics: checkMetrics, log, everyMs })] : [],
      administration: { counters, hasOffice: people.hasOffice },
    }
  },
})
