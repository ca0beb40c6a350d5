import { office } from '@caseway/kit/database'
import { once } from '@caseway/kit/events'
import type { Db } from '../database.js'
import { channel } from './advanced-feeds.repository.js'
import type { MailOfOffice } from './changed-mail.js'
import { officeFeed } from './feed.js'

export const publishedMailRepository = (db: Db) => ({
  /** Publishes messages to the live streams of an office, idempotently by the id of the event. Only their ids are stored. */
  publish: (eventId: string, { customerId, userId, receivedIds, sentIds }: MailOfOffice): Promise<void> =>
    db.write(office(customerId), async (tx) => {
      if (!(await once(tx, 'mail-on-streams', eventId))) return
      const feed = officeFeed(customerId)
      tx.$notify(channel, feed)
      await tx.$executeRaw`
        WITH advanced AS (
          INSERT INTO feeds (feed, revision) VALUES (${feed}, 1) ON CONFLICT (feed) DO UPDATE SET revision = feeds.revision + 1
          RETURNING feed, revision
        )
        INSERT INTO feed_entries (feed, revision, customer_id, user_ids, received_message_ids, sent_message_ids)
        SELECT feed, revision, ${customerId}, ARRAY[${userId}::bigint], ${receivedIds}::bigint[], ${sentIds}::bigint[] FROM advanced`
    }),
})
