import type { Id } from '@caseway/kit/caller'
import { type Place, platform, prepared, statements } from '@caseway/kit/database'
import { concerned, difference } from '../counters/issue-counter.js'
import type { Db, Tx } from '../database.js'
import type { IssueChange } from '../issues/issue-change.js'
import { clientFeed, type Feed, type FeedState, maxMissed, officeFeed, ownerOf } from './feed.js'

interface Tables {
  feeds: { feed: string; revision: bigint }
  feed_entries: { feed: string; revision: bigint; issue_id: Id | null; user_ids: Id[] }
}

interface Addition {
  readonly customerId: Id
  readonly feeds: readonly Feed[]
  readonly issueId: Id | null
  readonly userIds: readonly Id[]
}

const sql = statements<Tables>()

/** One statement, so that revision and entries are of one moment. */
const latest = prepared((place: Place<{ feed: Feed; after: bigint }>) =>
  sql
    .selectFrom('feeds')
    .leftJoin('feed_entries', (join) =>
      join.onRef('feed_entries.feed', '=', 'feeds.feed').on(
        'feed_entries.revision',
        '>',
        place(({ after }) => after),
      ),
    )
    .select(['feeds.revision as last', 'feed_entries.revision', 'issue_id as issueId', 'user_ids as userIds'])
    .where(
      'feeds.feed',
      '=',
      place(({ feed }) => feed),
    )
    .orderBy('feed_entries.revision', 'desc')
    .limit(maxMissed),
)

const present = prepared((place: Place<readonly Feed[]>) =>
  sql
    .selectFrom('feeds')
    .select(['feed', 'revision'])
    .where((eb) => eb('feed', '=', eb.fn.any(eb.val(place((feeds) => feeds))))),
)

const channel = 'feed'

export const feedRepository = (db: Db) => ({
  /** The feed with its entries after `revision`. */
  async read(feed: Feed, revision: bigint): Promise<FeedState> {
    const rows = await db.query(ownerOf(feed), latest({ feed, after: revision }))
    const entries = rows.flatMap(({ revision, issueId, userIds }) =>
      revision === null ? [] : [{ revision, issueId, userIds: userIds ?? [] }],
    )
    return { revision: rows[0]?.last ?? 0n, entries: entries.reverse() }
  },

  /** The present revision of each of the feeds that has one. */
  revisions: (feeds: readonly Feed[]) => db.query(platform, present(feeds)) as Promise<{ feed: Feed; revision: bigint }[]>,

  /** Calls `onChange` with each feed that has a new entry, and `onGap` when that may have gone unheard for a while. */
  listen: (onChange: (feed: Feed) => void, onGap: () => void) =>
    db.listen(channel, { onPayload: (feed) => onChange(feed as Feed), onReconnect: onGap }),

  /** Tells of a change of a case, in its transaction. */
  follow: (tx: Tx, { actor, before, after }: IssueChange): Promise<void> =>
    append(tx, {
      customerId: actor.customerId,
      feeds: [officeFeed(actor.customerId), ...clientsOf(before, after).map(clientFeed)],
      issueId: (after ?? before)?.id ?? null,
      userIds: concerned(difference(before, after)),
    }),

  /** Tells that counters changed which are not those of cases. */
  tell: (tx: Tx, customerId: Id, userIds: readonly Id[]): Promise<void> =>
    append(tx, { customerId, feeds: [officeFeed(customerId)], issueId: null, userIds }),
})

export type FeedRepository = ReturnType<typeof feedRepository>

/** A client who loses a case hears it as well. */
function clientsOf(before: IssueChange['before'], after: IssueChange['after']): Id[] {
  const clients = [before?.userClientId, after?.userClientId].filter((id) => id != null)
  return [...new Set(clients)].sort()
}

/**
 * Takes the feeds' next revisions. Their rows stay locked until the commit, so that revisions become visible in their order; all
 * other changes of the office wait here, so that this comes last.
 */
async function append(tx: Tx, { customerId, feeds, issueId, userIds }: Addition): Promise<void> {
  await tx.$queryRaw`
    WITH advanced AS (
      INSERT INTO feeds (feed, revision) SELECT unnest(${feeds}::text[]), 1
      ON CONFLICT (feed) DO UPDATE SET revision = feeds.revision + 1
      RETURNING feed, revision
    ), appended AS (
      INSERT INTO feed_entries (feed, revision, customer_id, issue_id, user_ids)
      SELECT feed, revision, ${customerId}, ${issueId}::bigint, ${userIds}::bigint[] FROM advanced
      RETURNING feed
    )
    SELECT pg_notify(${channel}, feed)::text FROM appended`
}
