import { describe, expect, it } from '@jest/globals'
import {
  changesAccess,
  clientFeed,
  concerns,
  eventIdOf,
  type FeedEntry,
  issuesOf,
  notificationsOf,
  officeFeed,
  ownerOf,
  revisionOf,
  since,
} from './feed.js'

const entry = (revision: bigint, issueId: bigint | null = null, ...userIds: bigint[]): FeedEntry => ({
  revision,
  issueId,
  userIds,
  notificationIds: [],
})
const state = { revision: 7n, entries: [entry(5n), entry(6n), entry(7n)] }

describe('the missed entries', () => {
  it('are those after the position', () => {
    expect(since(5n, state)).toEqual([entry(6n), entry(7n)])
    expect(since(7n, state)).toEqual([])
    expect(since(0n, { revision: 0n, entries: [] })).toEqual([])
  })

  it.each([
    ['before the oldest entry', 3n, state],
    ['across a gap', 5n, { revision: 7n, entries: [entry(7n)] }],
    ['ahead of the feed', 8n, state],
  ])('cannot be told from %s', (_, revision, state) => {
    expect(since(revision, state)).toBeUndefined()
  })
})

it('the cases of entries are listed once each, in the order of the last changes', () => {
  expect(issuesOf([entry(1n, 10n), entry(2n, 11n), entry(3n), entry(4n, 10n)])).toEqual([11n, 10n])
})

it('entries concern the people they name, and `noUser` concerns everybody', () => {
  expect(concerns(1n, [entry(1n, null, 2n), entry(2n, null, 1n)])).toBe(true)
  expect(concerns(1n, [entry(1n, null, 0n)])).toBe(true)
  expect(concerns(1n, [entry(1n, 5n), entry(2n, null, 2n)])).toBe(false)
})

it('the notifications of a person are listed once each, and do not concern the counters', () => {
  const notified = (...notificationIds: bigint[]) => ({ ...entry(1n, null, 1n, 2n), notificationIds })
  expect(notificationsOf(1n, [notified(7n, 8n), entry(2n, null, 1n), notified(8n)])).toEqual([7n, 8n])
  expect(notificationsOf(3n, [notified(7n)])).toEqual([])
  expect(concerns(1n, [notified(7n)])).toBe(false)
})

it('only entries without a case and without people change what a client may see', () => {
  expect(changesAccess([entry(1n, 5n), entry(2n, null, 2n)])).toBe(false)
  expect(changesAccess([entry(1n, 5n), entry(2n)])).toBe(true)
})

it('a feed belongs to an office or to a client', () => {
  expect(ownerOf(officeFeed(12n))).toEqual({ customerId: 12n })
  expect(ownerOf(clientFeed(5n))).toEqual({ clientId: 5n })
})

describe('the id of an event', () => {
  it('contains the position in its own feed', () => {
    expect(revisionOf(officeFeed(12n), eventIdOf(officeFeed(12n), 45n))).toBe(45n)
  })

  it.each(['', 'x', eventIdOf(officeFeed(13n), 45n), eventIdOf(clientFeed(12n), 45n)])('cannot be resumed in another feed: %s', (id) => {
    expect(since(revisionOf(officeFeed(12n), id), { revision: 45n, entries: [] })).toBeUndefined()
  })
})
