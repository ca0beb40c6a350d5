import type { Id } from '@caseway/kit/caller'
import { type ChangedMail, countOf, maxMail, maxMailBytes } from './changed-mail.js'
import {
  changesAccess,
  concerns,
  eventIdOf,
  type Feed,
  type FeedState,
  issuesOf,
  mailOf,
  maxNotifications,
  notificationsOf,
  since,
  unknownRevision,
} from './feed.js'
import type { FeedRepository } from './feed.repository.js'
import type { LiveEvent, Reader } from './reader.js'

/** The events that a reader is to get. */
interface Due {
  readonly reader: Reader
  readonly reset: boolean
  readonly issues: readonly Id[]
  readonly notifications: readonly Id[]
  readonly mail: ChangedMail
  readonly counter: boolean
  readonly ends: boolean
}

const reset: LiveEvent = { event: 'reset', data: '{}' }

const noMail: ChangedMail = { receivedIds: [], sentIds: [] }

/**
 * Sends all readers of a feed the events after their position. Events that they share are read once.
 * @returns the revision up to which all readers are served; undefined without readers
 */
export async function deliver(feeds: Pick<FeedRepository, 'read'>, feed: Feed, readers: readonly Reader[]): Promise<bigint | undefined> {
  const [first] = readers
  if (!first) return undefined
  const state = await feeds.read(feed, lowestPosition(readers))
  const due = readers.flatMap((reader) => dueTo(reader, state))
  const [issues, counters] = await Promise.all([
    ask(first.view.issues, unique(due.flatMap(({ issues }) => issues))),
    ask(first.view.counters, unique(due.flatMap(({ counter, reader }) => (counter ? [reader.userId] : [])))),
  ])
  const [notifications, mail] = await Promise.all([Promise.all(due.map(notificationEvents)), Promise.all(due.map(mailEvents))])
  const id = eventIdOf(feed, state.revision)
  for (const [i, { reader, ...what }] of due.entries()) {
    const counter = what.counter ? counters.get(reader.userId) : undefined
    const messages = mail[i]
    const shown = what.issues.flatMap((issueId) => issues.get(issueId) ?? [])
    const resets = what.reset || !messages
    reader.send([...(resets ? [reset] : []), ...shown, ...(notifications[i] ?? []), ...(messages ?? []), ...(counter ? [counter] : [])], id)
    reader.position = state.revision
    reader.fresh = false
    if (what.ends) reader.end()
  }
  return state.revision
}

type Shown = ReadonlyMap<Id, LiveEvent>
const ask = async (show: (ids: readonly Id[]) => Promise<Shown>, ids: readonly Id[]): Promise<Shown> =>
  ids.length > 0 ? show(ids) : new Map()

const notificationEvents = async ({ reader, notifications }: Due) =>
  notifications.length > 0 ? reader.view.notifications(notifications) : []

/** Undefined if the reader has to read everything again: mail does not answer, or the records are too large for a stream. */
async function mailEvents({ reader, mail }: Due): Promise<readonly LiveEvent[] | undefined> {
  if (countOf(mail) === 0) return []
  const events = await reader.view.mail(mail)
  const bytes = events?.reduce((sum, { data }) => sum + data.length, 0) ?? 0
  return bytes > maxMailBytes ? undefined : events
}

const unique = <T>(values: readonly T[]) => [...new Set(values)]

function lowestPosition(readers: readonly Reader[]): bigint {
  let lowest = unknownRevision
  for (const { position } of readers) if (position < lowest) lowest = position
  return lowest
}

function dueTo(reader: Reader, state: FeedState): Due[] {
  const missed = since(reader.position, state)
  const everything = { reader, reset: true, issues: [], notifications: [], mail: noMail, counter: true }
  if (!missed) return [{ ...everything, ends: false }]
  if (changesAccess(missed)) return [{ ...everything, ends: true }]
  const notifications = notificationsOf(reader.userId, missed)
  const mail = mailOf(reader.userId, missed)
  if (notifications.length > maxNotifications || countOf(mail) > maxMail) return [{ ...everything, ends: false }]
  const counter = reader.fresh || concerns(reader.userId, missed)
  if (!counter && missed.length === 0) return []
  return [{ reader, reset: false, issues: issuesOf(missed), notifications, mail, counter, ends: false }]
}
