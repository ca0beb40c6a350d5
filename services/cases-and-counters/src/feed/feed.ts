import type { Id } from '@caseway/kit/caller'
import { noUser } from '../counters/issue-counter.js'
import { type ChangedMail, together } from './changed-mail.js'

/** What a live stream listens to: everything of an office, or what is a client's own at all their offices. */
export type Feed = `office:${Id}` | `client:${Id}`

export const officeFeed = (customerId: Id): Feed => `office:${customerId}`
export const clientFeed = (clientId: Id): Feed => `client:${clientId}`

/** Whose feed it is. */
export function ownerOf(feed: Feed): { customerId: Id } | { clientId: Id } {
  const [kind, id] = feed.split(':') as ['office' | 'client', string]
  return kind === 'office' ? { customerId: BigInt(id) } : { clientId: BigInt(id) }
}

/**
 * Something changed. The entry says what to look at again, not what it is now. Without a case and without anybody, in the feed of a client,
 * it says that there are records which they see no more, or again.
 */
export interface FeedEntry {
  readonly revision: bigint
  readonly issueId: Id | null
  /**
   * Whose counters may have changed, `noUser` stands for everybody of the office; of an entry with notifications, whose they are; of one with mail,
   * who may see it.
   */
  readonly userIds: readonly Id[]
  readonly notificationIds: readonly Id[]
  readonly mail?: ChangedMail
}

/** A feed at one moment: the revision of its last entry, and its latest entries. */
export interface FeedState {
  readonly revision: bigint
  readonly entries: readonly FeedEntry[]
}

/** How long a reader may be away and go on where they were. */
export const keptMs = 10 * 60_000

/** Whoever missed more than this reads everything anew. */
export const maxMissed = 1000
export const maxNotifications = 500

/** What changed after `revision`; undefined when that is unknown, because some of it is no longer kept. */
export function since(revision: bigint, state: FeedState): FeedEntry[] | undefined {
  const missed = state.entries.filter((entry) => entry.revision > revision)
  return BigInt(missed.length) === state.revision - revision ? missed : undefined
}

/** The cases to look at again, each once, in the order of their last change. */
export function issuesOf(entries: readonly FeedEntry[]): Id[] {
  const issues = new Set<Id>()
  for (const { issueId } of entries) {
    if (issueId === null) continue
    issues.delete(issueId)
    issues.add(issueId)
  }
  return [...issues]
}

/** Whether a reader who missed this may see other records than before: they read everything anew, and begin a new stream. */
export const changesAccess = (entries: readonly FeedEntry[]) =>
  entries.some(({ issueId, userIds }) => issueId === null && userIds.length === 0)

/** Whether the counters of `userId` may have changed. */
export const concerns = (userId: Id, entries: readonly FeedEntry[]) =>
  entries.some((entry) => entry.notificationIds.length === 0 && !entry.mail && isFor(userId, entry))

const isFor = (userId: Id, { userIds }: FeedEntry) => userIds.includes(userId) || userIds.includes(noUser)

/** The messages that `userId` may have to look at again, each once; those that they do not read may be among them. */
export const mailOf = (userId: Id, entries: readonly FeedEntry[]): ChangedMail =>
  together(entries.flatMap((entry) => (entry.mail !== undefined && isFor(userId, entry) ? [entry.mail] : [])))

/** The notifications of `userId` to look at again, each once; those of others may be among them. */
export const notificationsOf = (userId: Id, entries: readonly FeedEntry[]): Id[] => [
  ...new Set(entries.flatMap(({ userIds, notificationIds }) => (userIds.includes(userId) ? notificationIds : []))),
]

/** The id of an event: the feed and how far it is read. Opaque outside. */
export const eventIdOf = (feed: Feed, revision: bigint) => Buffer.from(`${feed} ${revision}`).toString('base64url')

/** Where the event of that id was; ahead of every feed, and so nowhere that can be resumed, when it is none of this feed. */
export function revisionOf(feed: Feed, eventId: string): bigint {
  const [of, revision = ''] = Buffer.from(eventId, 'base64url').toString().split(' ')
  return of === feed && /^[0-9]{1,18}$/.test(revision) ? BigInt(revision) : unknownRevision
}

export const unknownRevision = 2n ** 62n
