import type { Id } from '@caseway/kit/caller'
import { noUser } from '../counters/issue-counter.js'
import { type ChangedMail, together } from './changed-mail.js'

/** The feed of a live stream: all changes of an office, or those of a client's own cases at all their offices. */
export type Feed = `office:${Id}` | `client:${Id}`

export const officeFeed = (customerId: Id): Feed => `office:${customerId}`
export const clientFeed = (clientId: Id): Feed => `client:${clientId}`

/** The office or the client of a feed. */
export function ownerOf(feed: Feed): { customerId: Id } | { clientId: Id } {
  const [kind, id] = feed.split(':') as ['office' | 'client', string]
  return kind === 'office' ? { customerId: BigInt(id) } : { clientId: BigInt(id) }
}

/**
 * A change. It names the records to read again, not their new state. In the feed of a client, an entry without a case and without people says that the
 * client sees other records than before.
 */
export interface FeedEntry {
  readonly revision: bigint
  readonly issueId: Id | null
  /**
   * The people whose counters may have changed (`noUser` stands for everybody of the office); for an entry with notifications, their recipients; for one
   * with mail, who may see it.
   */
  readonly userIds: readonly Id[]
  readonly notificationIds: readonly Id[]
  readonly mail?: ChangedMail
}

/** A snapshot of a feed: the revision of its last entry, and its latest entries. */
export interface FeedState {
  readonly revision: bigint
  readonly entries: readonly FeedEntry[]
}

/** How long entries are kept, in milliseconds: so long a reader can be away and resume. */
export const keptMs = 10 * 60_000

/** A reader who has missed more entries, or more notifications, gets a `reset`. */
export const maxMissed = 1000
export const maxNotifications = 500

/** The entries after `revision`; undefined if some of them are no longer kept, or the revision is unknown. */
export function since(revision: bigint, state: FeedState): FeedEntry[] | undefined {
  const missed = state.entries.filter((entry) => entry.revision > revision)
  return BigInt(missed.length) === state.revision - revision ? missed : undefined
}

/** The changed cases, each once, in the order of the last changes. */
export function issuesOf(entries: readonly FeedEntry[]): Id[] {
  const issues = new Set<Id>()
  for (const { issueId } of entries) {
    if (issueId === null) continue
    issues.delete(issueId)
    issues.add(issueId)
  }
  return [...issues]
}

/** Whether a reader who missed these entries may see other records than before. They get a `reset`, and begin a new stream. */
export const changesAccess = (entries: readonly FeedEntry[]) =>
  entries.some(({ issueId, userIds }) => issueId === null && userIds.length === 0)

/** Whether the counters of `userId` may have changed. */
export const concerns = (userId: Id, entries: readonly FeedEntry[]) =>
  entries.some((entry) => entry.notificationIds.length === 0 && !entry.mail && isFor(userId, entry))

const isFor = (userId: Id, { userIds }: FeedEntry) => userIds.includes(userId) || userIds.includes(noUser)

/** The messages that `userId` may have to read again, each once. Some of them may not be theirs to read. */
export const mailOf = (userId: Id, entries: readonly FeedEntry[]): ChangedMail =>
  together(entries.flatMap((entry) => (entry.mail !== undefined && isFor(userId, entry) ? [entry.mail] : [])))

/** The notifications that `userId` may have to read again, each once. Some of them may be those of others. */
export const notificationsOf = (userId: Id, entries: readonly FeedEntry[]): Id[] => [
  ...new Set(entries.flatMap(({ userIds, notificationIds }) => (userIds.includes(userId) ? notificationIds : []))),
]

/** The id of an event, opaque to clients: the feed and the revision up to which it was read. */
export const eventIdOf = (feed: Feed, revision: bigint) => Buffer.from(`${feed} ${revision}`).toString('base64url')

/** The revision of an event id; `unknownRevision`, from which nothing can be resumed, if the id is not one of this feed. */
export function revisionOf(feed: Feed, eventId: string): bigint {
  const [of, revision = ''] = Buffer.from(eventId, 'base64url').toString().split(' ')
  return of === feed && /^[0-9]{1,18}$/.test(revision) ? BigInt(revision) : unknownRevision
}

export const unknownRevision = 2n ** 62n
