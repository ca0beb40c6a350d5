import { sql } from '@caseway/kit/database'

/** Notified with each feed that has a new entry. */
export const channel = 'feed'

/** The next revisions of the feeds that the statement around it names `targets`; always in one order, for their rows stay locked until the commit. */
export const advanceTargets = sql`
  INSERT INTO feeds (feed, revision) SELECT feed, 1 FROM targets ORDER BY feed DESC
  ON CONFLICT (feed) DO UPDATE SET revision = feeds.revision + 1
  RETURNING feed, revision`
