import type { Id } from '@caseway/kit/caller'
import { office, platform } from '@caseway/kit/database'
import type { Db } from '../database.js'
import { protocols } from '../mail-connections/mailbox-access.js'
import { enqueueSync, syncJobName } from './mailbox-sync.job.js'

interface OfMailbox {
  readonly id: Id
  readonly customerId: Id
}

const receiving = [protocols.imap, protocols.pop3]

/** Mailboxes that are to be received, and that no job will receive. */
export const forgottenMailboxes = (db: Db) => ({
  forgotten: (limit: number): Promise<OfMailbox[]> =>
    db.write(
      platform,
      (tx) => tx.$queryRaw<OfMailbox[]>`
        WITH unfinished AS (
          SELECT key FROM kit.job WHERE name = ${syncJobName} AND state = 'waiting'
          UNION ALL SELECT key FROM kit.job WHERE name = ${syncJobName} AND state = 'ready'
          UNION ALL SELECT key FROM kit.job WHERE name = ${syncJobName} AND state = 'held'
          UNION ALL SELECT key FROM kit.job WHERE name = ${syncJobName} AND state = 'running'
        )
        SELECT id, customer_id AS "customerId" FROM mail_servers
        WHERE state = 'active' AND server_protocol = ANY (${receiving}::int[]) AND id::text NOT IN (SELECT key FROM unfinished)
        ORDER BY id LIMIT ${limit}`,
    ),

  /** Twice is once: a job that has not begun is there already. */
  enqueue: ({ id, customerId }: OfMailbox): Promise<void> => db.write(office(customerId), (tx) => enqueueSync(tx, customerId, id)),
})
