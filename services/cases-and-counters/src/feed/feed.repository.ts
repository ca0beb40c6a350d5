import type { Id } from '@caseway/kit/caller'
import { type BatchStatement, type ParamOf, platform, prepared, sql, statements } from '@caseway/kit/database'
import { concerned, difference } from '../counters/issue-counter.js'
import type { Db, Tx } from '../database.js'
import type { IssueChange } from '../issues/issue-change.js'
import { advanceTargets, channel } from './advanced-feeds.repository.js'
import { clientFeed, type Feed, type FeedState, maxMissed, officeFeed, ownerOf } from './feed.js'
import { publishingNotifications } from './published-notifications.repository.js'

interface EntryIds {
  notification_ids: Id[] | null
  received_message_ids: Id[] | null
  sent_message_ids: Id[] | null
}

interface Tables {
  feeds: { feed: string; revision: bigint }
  feed_entries: { feed: string; revision: bigint; customer_id: Id; issue_id: Id | null; user_ids: Id[] } & EntryIds
}

interface Addition {
  readonly customerId: Id
  /** The clients whose feeds get the entry as well, if their link with the office is open. */
  readonly clients: readonly Id[]
  /** The id of the case; `inserted` stands for the one that this transaction has just inserted. */
  readonly issueId: Id | null | 'inserted'
  readonly userIds: readonly Id[]
}

const tables = statements<Tables>()

interface Query {
  readonly feed: Feed
  readonly after: bigint
}

/** One statement, so that revision and entries come from one snapshot. */
const latest = (param: ParamOf<Query>) =>
  tables
    .selectFrom('feeds')
    .leftJoin('feed_entries', (join) =>
      join.onRef('feed_entries.feed', '=', 'feeds.feed').on(
        'feed_entries.revision',
        '>',
        param(({ after }) => after),
      ),
    )
    .select(['feeds.revision as last', 'feed_entries.revision', 'user_ids as userIds', 'notification_ids as notificationIds'])
    .select(['received_message_ids as receivedIds', 'sent_message_ids as sentIds'])
    .where(
      'feeds.feed',
      '=',
      param(({ feed }) => feed),
    )
    .orderBy('feed_entries.revision', 'desc')
    .limit(maxMissed)

const latestOfOffice = prepared((param: ParamOf<Query>) => latest(param).select('issue_id as issueId'))

/** The entries of offices that no longer show the client anything count as revisions, but do not name the case. */
const latestOfClient = prepared((param: ParamOf<Query>) =>
  latest(param).select((eb) =>
    eb
      .case()
      .when('customer_id', '=', eb.fn.any(eb.fn<Id[]>('client_offices', [])))
      .then(eb.ref('issue_id'))
      .else(null)
      .end()
      .as('issueId'),
  ),
)

const present = prepared((param: ParamOf<readonly Feed[]>) =>
  tables
    .selectFrom('feeds')
    .select(['feed', 'revision'])
    .where((eb) => eb('feed', '=', eb.fn.any(eb.val(param((feeds) => feeds))))),
)

export const feedRepository = (db: Db) => ({
  /** The revision of a feed, and its entries after `revision`. */
  async read(feed: Feed, revision: bigint): Promise<FeedState> {
    const owner = ownerOf(feed)
    const statement = 'clientId' in owner ? latestOfClient : latestOfOffice
    const rows = await db.pipelined.query(owner, statement({ feed, after: revision }))
    const entries = rows.flatMap(({ revision, issueId, userIds, notificationIds, receivedIds, sentIds }) => {
      const mail = receivedIds && sentIds ? { mail: { receivedIds, sentIds } } : {}
      return revision === null ? [] : [{ revision, issueId, userIds: userIds ?? [], notificationIds: notificationIds ?? [], ...mail }]
    })
    return { revision: rows[0]?.last ?? 0n, entries: entries.reverse() }
  },

  /** The present revisions of those feeds that have one. */
  revisions: (feeds: readonly Feed[]) => db.query(platform, present(feeds)) as Promise<{ feed: Feed; revision: bigint }[]>,

  /** Calls `onChange` with each feed that has a new entry, and `onGap` after a reconnect, when notifications may have been lost. */
  listen: (onChange: (feed: Feed) => void, onGap: () => void) =>
    db.listen(channel, { onPayload: (feed) => onChange(feed as Feed), onReconnect: onGap }),

  /** Publishes a change of a case, in its transaction. */
  follow: ({ actor, before, after }: IssueChange): BatchStatement[] => {
    const common = { customerId: actor.customerId, clients: clientsOf(before, after), userIds: concerned(difference(before, after)) }
    return [append(before ? { ...common, issueId: before.id } : { ...common, issueId: 'inserted' })]
  },

  /** Publishes changed counters that are not those of cases. */
  publishCounters: (customerId: Id, userIds: readonly Id[]): BatchStatement => append({ customerId, clients: [], issueId: null, userIds }),

  publishingNotifications,

  /** Publishes that clients no longer see the records of an office, or see them again; in the transaction of that change. */
  async followAccess(tx: Tx, changes: readonly { readonly customerId: Id; readonly clientId: Id }[]): Promise<void> {
    const offices = new Map(changes.map(({ customerId, clientId }) => [clientFeed(clientId), customerId]))
    for (const feed of offices.keys()) tx.$notify(channel, feed)
    await tx.$executeRaw`
      WITH changed AS (
        SELECT feed, customer_id FROM unnest(${[...offices.keys()]}::text[], ${[...offices.values()]}::bigint[]) AS changed (feed, customer_id)
      ), advanced AS (
        INSERT INTO feeds (feed, revision) SELECT feed, 1 FROM changed ORDER BY feed DESC
        ON CONFLICT (feed) DO UPDATE SET revision = feeds.revision + 1
        RETURNING feed, revision
      )
      INSERT INTO feed_entries (feed, revision, customer_id, issue_id, user_ids)
      SELECT feed, revision, customer_id, NULL, '{}' FROM advanced JOIN changed USING (feed)`
  },
})

export type FeedRepository = ReturnType<typeof feedRepository>

/** Includes a client who loses the case. */
function clientsOf(before: IssueChange['before'], after: IssueChange['after']): Id[] {
  const clients = [before?.userClientId, after?.userClientId].filter((id) => id != null)
  return [...new Set(clients)]
}

/**
 * Appends an entry to the feeds. Their rows are locked in a fixed order until the commit, so that revisions become visible in order. All other changes of
 * the office wait for these locks, so this statement has to be the last one of a transaction.
 */
function append(addition: Addition): BatchStatement {
  const { customerId, clients, issueId } = addition
  // Also the feeds of clients without an open link, to which nothing is appended: a needless notification is harmless.
  const feeds = [officeFeed(customerId), ...clients.map(clientFeed)]
  const statement = issueId === 'inserted' ? appendInserted(addition) : appendKnown(addition)
  return { ...statement, notifies: feeds.map((payload) => ({ channel, payload })) }
}

const appendStatement = (issueId: (param: ParamOf<Addition>) => unknown) =>
  prepared(
    (param: ParamOf<Addition>) => sql`
      WITH targets AS (
        SELECT ${param(({ customerId }) => officeFeed(customerId))} AS feed
        UNION SELECT 'client:' || client_id FROM client_links AS link
        WHERE customer_id = ${param(({ customerId }) => customerId)} AND client_id = ANY (${param(({ clients }) => clients)}::bigint[]) AND is_open(link)
      ), advanced AS (${advanceTargets})
      INSERT INTO feed_entries (feed, revision, customer_id, issue_id, user_ids)
      SELECT feed, revision, ${param(({ customerId }) => customerId)}, ${issueId(param)}::bigint, ${param(({ userIds }) => userIds)}::bigint[]
      FROM advanced`,
  )
const appendKnown = appendStatement((param) => param(({ issueId }) => issueId))
const appendInserted = appendStatement(() => sql`currval('issues_id_seq')`)
