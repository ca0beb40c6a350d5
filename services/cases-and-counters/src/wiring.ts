import { references } from '@caseway/kit/database'
import { resourceRoutes } from '@caseway/kit/http'
import { objectService, recordService } from '@caseway/kit/objects'
import { rememberedRights } from '@caseway/kit/rights'
import { defineService } from '@caseway/kit/service'
import { authDirectory, copiedGroups, copiedLinks, copiedOffices, copiedUsers } from '@caseway/people'
import { callersOf } from '@caseway/registry'
import { followCommentedCase } from './comments/comment.repository.js'
import { wireComments } from './comments/comments.wiring.js'
import { config } from './config.js'
import { wireCounters } from './counters/counters.wiring.js'
import { wireFeed } from './feed/feed.wiring.js'
import { wireFiles } from './files/files.wiring.js'
import { PrismaClient } from './generated/client.js'
import { wireIssueInitiators } from './issue-initiators/issue-initiators.wiring.js'
import { followCase } from './issue-sentences/issue-sentence-follower.repository.js'
import { wireIssueSentences } from './issue-sentences/issue-sentences.wiring.js'
import { wireIssueSubjects } from './issue-subjects/issue-subjects.wiring.js'
import { wireIssueTags } from './issue-tags/issue-tags.wiring.js'
import { enqueueGroupReleases, groupRelease } from './issues/group-release.job.js'
import { wireIssues } from './issues/issues.wiring.js'
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
    const feed = wireFeed(db, { peer, onClose, sessions, log, metrics })
    const auth = authDirectory({ peer, onClose })
    const offices = copiedOffices(db, auth, config.defaultTimeZone)
    const hasRight = rememberedRights(auth.rightsOf)
    const reports = wireReports(db, { hasRight, timeZoneOf: offices.timeZoneOf, defaultTimeZone: config.defaultTimeZone })
    const users = copiedUsers(db, auth, { onInactive: endTimersOf(db, reports.countDays) })
    const links = copiedLinks(db, auth, { onAccessChange: feed.followAccess })
    const groups = copiedGroups(db, auth, { onDeleted: enqueueGroupReleases(db) })
    const { publishCounters, publishIssues, publishingNotifications } = feed
    const ofChecks = { checkSeconds: config.counterCheckSeconds, log, metrics }
    const counters = wireCounters(db, { publishCounters, rightsOf: auth.rightsOf, ...ofChecks, peer, onClose })
    const { notify, ...notifications } = wireNotifications(db, publishingNotifications)
    const subjects = wireIssueSubjects(db)
    const initiators = wireIssueInitiators(db, links)
    const providers = wireProviders(db, initiators.initiators)
    const followers = [followCase, followCommentedCase, counters.follow, notifications.follow, feed.follow]
    const named = references({
      issue_subject_id: subjects.subjects,
      issue_initiator_id: initiators.initiators,
      provider_id: providers.providers,
      group_id: groups,
    })
    const issues = wireIssues(db, { followers, users, links, named })
    const files = wireFiles(db, { peer, onClose })
    const attached = files.attachedTo('IssueSentence')
    const sentences = wireIssueSentences(db, { issues: issues.rows, attached, notify, count: reports.count, hasRight })
    const comments = wireComments(db, { groups, issues: issues.rows, users, publishing: publishingNotifications })
    const tagRows = tagRepository(db)
    const issueTags = wireIssueTags(db, issues.rows, tagRows, publishIssues)
    const tags = tagService({ ...tagRows, ...issueTags.changesOfTags }, users)
    const workTimes = wireWorkTimes(db, issues.rows, reports.countDays)
    const offers = wirePaymentOffers(db, { issues: issues.rows, links, notify })
    const polls = pollAnswers(pollAnswerRepository(db, { ...initiators, issues: issues.rows, ...sentences }))
    const notices = wireServiceNotices(db, { users, auth, notify })
    const streams = feed.routesFor({ ...issues.live, ...counters.live, ...notifications.live })

    const ofCases = [issueTags, issues, sentences, comments, subjects, initiators, providers, offers].map(({ routes }) => routes)
    const ofPeople = [workTimes, reports, counters, notifications].map(({ routes }) => routes)
    const linkable = { Issue: issues.linkable, IssueSentence: sentences.linkable, Comment: comments.linkable }
    return {
      routes: {
        expert: [resourceRoutes(tagResource, tags), ...ofCases, ...ofPeople, streams],
        client: [issues.clientRoutes, sentences.clientRoutes, offers.clientRoutes, streams],
      },
      streams: feed.hub,
      timeZoneOf: offices.timeZoneOf,
      hasRight,
      grpc: {
        callers: callersOf('cases-and-counters'),
        services: [
          ...[objectService(linkable), initiators.grpc, sentences.grpc, providers.snapshot],
          recordService(offices.timeZoneOf, issues.shown, sentences.shown, providers.shown),
        ],
      },
      consumers: [...counters.consumers, feed.consumer, polls, ...notices.consumers],
      copies: [offices.copy, users.copy, links.copy, groups.copy, files.copy, counters.copy],
      retention: [...feed.retention, ...notifications.retention],
      jobs: [workTimes.job, groupRelease(issues.rows, comments), ...counters.jobs],
      administration: { counters: counters.live.counters, hasOffice: offices.exists, contactsOf: initiators.contactsOf },
    }
  },
})
