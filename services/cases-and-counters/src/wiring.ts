import { references } from '@caseway/kit/database'
import { recordEncoder, resourceRoutes } from '@caseway/kit/http'
import { objectService, recordService, shownRecords } from '@caseway/kit/objects'
import { lastKnownRights, rememberedRights } from '@caseway/kit/rights'
import { defineService } from '@caseway/kit/service'
import { authDirectory, copiedGroups, copiedLinks, copiedOffices, copiedUsers } from '@caseway/people'
import { callersOf } from '@caseway/registry'
import { followCommentedCase } from './comments/comment.repository.js'
import { wireComments } from './comments/comments.wiring.js'
import { config } from './config.js'
import { wireCounters } from './counters/counters.wiring.js'
import { feedRepository } from './feed/feed.repository.js'
import { feedHub } from './feed/feed-hub.service.js'
import { feedMetrics } from './feed/feed-metrics.js'
import { feedRetention } from './feed/feed-retention.js'
import { grpcMailDirectory } from './feed/grpc-mail-directory.client.js'
import { liveRoutes } from './feed/live.routes.js'
import { liveViews } from './feed/live-view.service.js'
import { changedMail } from './feed/mail-message.consumer.js'
import { publishIssues } from './feed/published-issues.repository.js'
import { publishedMailRepository } from './feed/published-mail.repository.js'
import { ticketRepository } from './feed/ticket.repository.js'
import { ticketService } from './feed/ticket.service.js'
import { wireFiles } from './files/files.wiring.js'
import { PrismaClient } from './generated/client.js'
import { wireIssueInitiators } from './issue-initiators/issue-initiators.wiring.js'
import { followCase } from './issue-sentences/issue-sentence-follower.repository.js'
import { wireIssueSentences } from './issue-sentences/issue-sentences.wiring.js'
import { wireIssueSubjects } from './issue-subjects/issue-subjects.wiring.js'
import { wireIssueTags } from './issue-tags/issue-tags.wiring.js'
import { clientIssueResource } from './issues/client-issue.resource.js'
import { clientIssueService } from './issues/client-issue.service.js'
import { enqueueGroupReleases, groupRelease } from './issues/group-release.job.js'
import { issueRepository } from './issues/issue.repository.js'
import { issueResource } from './issues/issue.resource.js'
import { issueService } from './issues/issue.service.js'
import { linkableIssues } from './issues/linkable-issues.service.js'
import { wireNotifications } from './notifications/notifications.wiring.js'
import { wirePaymentOffers } from './payment-offers/payment-offers.wiring.js'
import { pollAnswers } from './poll-answers/poll-answer.consumer.js'
import { pollAnswerRepository } from './poll-answers/poll-answer.repository.js'
import { wireProviders } from './providers/providers.wiring.js'
import { wireReports } from './reports/reports.wiring.js'
import { wireServiceNotices } from './service-notices/service-notices.wiring.js'
import { tables } from './tables.js'
import { tagRepository } from './tags/tag.repository.js'
import { tagResource } from './tags/tag.resource.js'
import { tagService } from './tags/tag.service.js'
import { endTimersOf } from './work-times/timers-of-leavers.repository.js'
import { wireWorkTimes } from './work-times/work-times.wiring.js'

export const casesAndCounters = defineService({
  name: 'cases-and-counters',
  config,
  client: PrismaClient,
  tables,

  wire({ db, config, peer, sessions, onClose, log, metrics }) {
    const feeds = feedRepository(db)
    const auth = authDirectory({ peer, onClose })
    const offices = copiedOffices(db, auth, config.defaultTimeZone)
    const hasRight = rememberedRights(auth.rightsOf)
    const reports = wireReports(db, { hasRight, timeZoneOf: offices.timeZoneOf, defaultTimeZone: config.defaultTimeZone })
    const users = copiedUsers(db, auth, { onInactive: endTimersOf(db, reports.countDays) })
    const links = copiedLinks(db, auth, { onAccessChange: feeds.followAccess })
    const groups = copiedGroups(db, auth, { onDeleted: enqueueGroupReleases(db) })
    const hub = feedHub({ feeds, sessions, log, open: feedMetrics(metrics).liveStreams })
    const { publishCounters } = feeds
    const { counters, ...ofCounters } = wireCounters(db, {
      publishCounters,
      hasRight: rememberedRights(lastKnownRights(auth.rightsOf)),
      checkSeconds: config.counterCheckSeconds,
      log,
      metrics,
    })
    const issueSubjects = wireIssueSubjects(db)
    const issueInitiators = wireIssueInitiators(db, links)
    const providers = wireProviders(db, issueInitiators.initiators)
    const named = references({
      issue_subject_id: issueSubjects.subjects,
      issue_initiator_id: issueInitiators.initiators,
      provider_id: providers.providers,
      group_id: groups,
    })
    const { notifications, encodeNotification, ...ofNotifications } = wireNotifications(db, feeds.publishingNotifications)
    const followers = [followCase, followCommentedCase, ofCounters.follow, ofNotifications.follow, feeds.follow]
    const issueRows = issueRepository(db, followers, links.writeAs, named)
    const issues = issueService(issueRows, users, links, named)
    const files = wireFiles(db, { peer, onClose })
    const issueSentences = wireIssueSentences(db, {
      issues: issueRows,
      attached: files.attachedTo('IssueSentence'),
      notify: ofNotifications.notify,
      count: reports.count,
      hasRight,
    })
    const polls = pollAnswerRepository(db, { ...issueInitiators, issues: issueRows, ...issueSentences })
    const comments = wireComments(db, { groups, issues: issueRows, users, publishing: feeds.publishingNotifications })
    const clientIssues = clientIssueService(issueRows, links)
    const tagRows = tagRepository(db)
    const issueTags = wireIssueTags(db, issueRows, tagRows, publishIssues)
    const tags = tagService({ ...tagRows, ...issueTags.changesOfTags }, users)
    const workTimes = wireWorkTimes(db, issueRows, reports.countDays)
    const offers = wirePaymentOffers(db, { issues: issueRows, links, notify: ofNotifications.notify })
    const encoders = {
      encodeIssue: recordEncoder(issueResource),
      encodeClientIssue: recordEncoder(clientIssueResource),
      encodeNotification,
    }
    const views = liveViews({ issues, clientIssues, counters, notifications, mail: grpcMailDirectory({ peer, onClose }), ...encoders })
    const live = liveRoutes({ hub, tickets: ticketService(ticketRepository(db)), views })

    return {
      routes: {
        expert: [
          resourceRoutes(tagResource, tags),
          issueTags.routes,
          resourceRoutes(issueResource, issues),
          issueSentences.routes,
          comments.routes,
          issueSubjects.routes,
          issueInitiators.routes,
          providers.routes,
          offers.routes,
          workTimes.routes,
          reports.routes,
          ofCounters.routes,
          ofNotifications.routes,
          live,
        ],
        client: [resourceRoutes(clientIssueResource, clientIssues), issueSentences.clientRoutes, offers.clientRoutes, live],
      },
      streams: hub,
      timeZoneOf: offices.timeZoneOf,
      hasRight,
      grpc: {
        callers: callersOf('cases-and-counters'),
        services: [
          objectService({ Issue: linkableIssues(issueRows), IssueSentence: issueSentences.linkable, Comment: comments.linkable }),
          issueInitiators.grpc,
          issueSentences.grpc,
          providers.snapshot,
          recordService(offices.timeZoneOf, shownRecords(issueResource, issueRows), issueSentences.shown, providers.shown),
        ],
      },
      consumers: [
        ...ofCounters.consumers,
        changedMail(publishedMailRepository(db)),
        pollAnswers(polls),
        ...wireServiceNotices(db, { users, auth, notify: ofNotifications.notify }).consumers,
      ],
      copies: [offices.copy, users.copy, links.copy, groups.copy, files.copy],
      retention: [...feedRetention, ...ofNotifications.retention],
      jobs: [workTimes.job, groupRelease(issueRows, comments), ...ofCounters.jobs],
      administration: { counters, hasOffice: offices.exists, contactsOf: issueInitiators.contactsOf },
    }
  },
})
