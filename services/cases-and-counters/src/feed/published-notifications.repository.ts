import type { Id } from '@caseway/kit/caller'
import { type BatchStatement, type ParamOf, prepared, type RawBuilder, sql } from '@caseway/kit/database'
import { advanceTargets, channel } from './advanced-feeds.repository.js'
import { officeFeed } from './feed.js'

interface OfOffice {
  readonly customerId: Id
}

/**
 * Makes the statement that writes notifications and publishes them to the live streams of their office.
 * @param write SQL that inserts or updates the rows, RETURNING id and user_id
 */
export function publishingNotifications<Query extends OfOffice>(
  write: (param: ParamOf<Query>) => RawBuilder<unknown>,
): (query: Query) => BatchStatement {
  const statement = prepared(
    (param: ParamOf<Query>) => sql`
      WITH written AS (${write(param)}), targets AS (
        SELECT ${param(({ customerId }) => officeFeed(customerId))} AS feed WHERE EXISTS (SELECT FROM written)
      ), advanced AS (${advanceTargets})
      INSERT INTO feed_entries (feed, revision, customer_id, user_ids, notification_ids)
      SELECT feed, revision, ${param(({ customerId }) => customerId)}, ARRAY(SELECT DISTINCT user_id FROM written), ARRAY(SELECT id FROM written)
      FROM advanced`,
  )
  return (query) => ({ ...statement(query), notifies: [{ channel, payload: officeFeed(query.customerId) }] })
}
