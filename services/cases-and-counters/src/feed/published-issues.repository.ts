import type { Id } from '@caseway/kit/caller'
import { type BatchStatement, type ParamOf, prepared, sql } from '@caseway/kit/database'
import { channel } from './advanced-feeds.repository.js'
import { maxMissed, officeFeed } from './feed.js'

interface Changed {
  readonly customerId: Id
  readonly issueIds: readonly Id[]
}

/** Of more than a reader may miss, the revisions are enough: whoever follows reads everything anew. */
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
 * Tells the employees of an office that cases of theirs look different, in the transaction that makes it so: what stands beside a case has
 * changed, and not the case. Other changes of the office wait here until the commit, so that this comes last.
 * @param issueIds at least one, each once
 */
export const publishIssues = (customerId: Id, issueIds: readonly Id[]): BatchStatement => ({
  ...append({ customerId, issueIds }),
  notifies: [{ channel, payload: officeFeed(customerId) }],
})
