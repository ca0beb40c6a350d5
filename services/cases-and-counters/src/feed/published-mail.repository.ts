import type { Id } from '@caseway/kit/caller'
import { office } from '@caseway/kit/database'
import { once } from '@caseway/kit/events'
import type { Db } from '../database.js'
import { channel } from './advanced-feeds.repository.js'
import { type MailOfEvent, together } from './changed-mail.js'
import { officeFeed } from './feed.js'

export const publishedMailRepository = (db: Db) => {
  const publishOf = (customerId: Id, mail: readonly MailOfEvent[]): Promise<void> =>
    db.write(office(customerId), async (tx) => {
      const isFirst = await Promise.all(mail.map(({ eventId }) => once(tx, 'mail-on-streams', eventId)))
      const byReader = Map.groupBy(
        mail.filter((_, index) => isFirst[index]),
        ({ userId }) => userId,
      )
      if (byReader.size === 0) return
      const feed = officeFeed(customerId)
      tx.$notify(channel, feed)
      for (const [userId, changes] of byReader) {
        const { receivedIds, sentIds } = together(changes)
        await tx.$executeRaw`
          WITH advanced AS (
            INSERT INTO feeds (feed, revision) VALUES (${feed}, 1) ON CONFLICT (feed) DO UPDATE SET revision = feeds.revision + 1
            RETURNING feed, revision
          )
          INSERT INTO feed_entries (feed, revision, customer_id, user_ids, received_message_ids, sent_message_ids)
          SELECT feed, revision, ${customerId}, ARRAY[${userId}::bigint], ${receivedIds}::bigint[], ${sentIds}::bigint[] FROM advanced`
      }
    })

  return {
    /** Publishes messages to the live streams of their offices, idempotently by the ids of the events. Only the ids of the messages are stored. */
    async publish(mail: readonly MailOfEvent[]): Promise<void> {
      for (const [customerId, own] of Map.groupBy(mail, (one) => one.customerId)) await publishOf(customerId, own)
    },
  }
}
