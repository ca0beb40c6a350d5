import type { Id } from '@caseway/kit/caller'
import { type BatchStatement, type ParamOf, prepared, sql } from '@caseway/kit/database'
import { channel } from './advanced-feeds.repository.js'
import { maxMissed, officeFeed } from './feed.js'

interface Changed {
  readonly customerId: Id
  readonly issueIds: readonly Id[]
}

/** Beyond `maxMissed` cases no entries are needed: the gap in the revisions makes readers read everything again. */
const entriesOf = ({ issueIds }: Changed) => (issueIds.length > maxMissed ? [] : issueIds)

const append = prepared(
  (param: ParamOf<Changed>) => sql`
    WITH advanced AS (
      INSERT INTO feeds (feed, revision)
      VALUES (${param(({ customerId }) => officeFeed(customerId))}, ${param(({ issueIds }) => issueIds.length)}::bigint)
      ON CONFLICT (feed) DO UPDATE SET revision = feeds.revision + excluded.revision
      RETURNING feed, revision
    )
    INSERT INTO feed_entries (feed, revision, customer_id, issue_id, user_ids)
    SELECT feed, revision - ${param(({ issueIds }) => issueIds.length)}::bigint + number, ${param(({ customerId }) => customerId)}::bigint, issue_id, '{}'
    FROM advanced, unnest(${param(entriesOf)}::bigint[]) WITH ORDINALITY AS entry (issue_id, number)`,
)

/**
 * Publishes to the employees of an office that cases look different because a record beside them has changed. Other changes of the office wait until the
 * commit, so this statement has to be the last one of a transaction.
 * @param issueIds at least one, without duplicates
 */
export const publishIssues = (customerId: Id, issueIds: readonly Id[]): BatchStatement => ({
  ...append({ customerId, issueIds }),
  notifies: [{ channel, payload: officeFeed(customerId) }],
})
