import { sql } from '@caseway/kit/database'

/** The channel of NOTIFY; its payload is a feed with new entries. */
export const channel = 'feed'

/** SQL: advances the revisions of the feeds in the CTE `targets`. The order is always the same, because the rows stay locked until the commit. */
export const advanceTargets = sql`
  INSERT INTO feeds (feed, revision) SELECT feed, 1 FROM targets ORDER BY feed DESC
  ON CONFLICT (feed) DO UPDATE SET revision = feeds.revision + 1
  RETURNING feed, revision`
