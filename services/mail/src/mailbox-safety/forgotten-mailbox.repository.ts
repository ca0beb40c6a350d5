import type { Id } from '@caseway/kit/caller'
import { office, platform } from '@caseway/kit/database'
import type { Db, Tx } from '../database.js'
import { protocols } from '../mail-connections/mailbox-access.js'
import { unreachableFor } from '../sending/queued-message.js'

interface OfMailbox {
  readonly id: Id
  readonly customerId: Id
}

export interface Kind {
  /** The name of the job that does the work of a mailbox; its key is the id of the mailbox. */
  readonly job: string
  /** SQL that selects `id` and `customer_id` of the mailboxes that have work, each once. It is a constant. */
  readonly wanted: string
  enqueue(tx: Tx, customerId: Id, mailServerId: Id): Promise<void>
}

/** SQL: the mailboxes of all offices that are to be received. */
export const mailboxesToReceive = `
  SELECT id, customer_id FROM mail_servers WHERE state = 'active' AND server_protocol IN (${protocols.imap}, ${protocols.pop3})`

/** SQL: due messages of a stopped mailbox that are not yet marked as unreachable, or have been so for a day. */
const ofStopped = `server.state = 'auth_failed' AND coalesce(message.send_at, '-infinity') <= now() AND coalesce(message.next_attempt_at, '-infinity') <= now()
  AND coalesce(message.unreachable_since, '-infinity') <= now() - interval '${unreachableFor}'`

/**
 * SQL: the mailboxes with messages that a job has to handle: queued ones of open offices and active mailboxes; those in transmission, whatever the
 * state of their mailbox; those that fail because their mailbox was deleted or receives now; due ones of a stopped mailbox that are to be marked as
 * unreachable, or have been so for a day. Statuses are written as numbers, to match the index of the queue.
 */
export const mailboxesToSend = `
  SELECT DISTINCT message.mail_server_id AS id, message.customer_id FROM mail_sent_messages AS message
  LEFT JOIN mail_servers AS server ON server.id = message.mail_server_id
  WHERE message.status IN (0, 1) AND (message.status = 1 OR message.blob_key IS NOT NULL)
    AND (message.status = 1 OR NOT EXISTS (SELECT FROM customers AS office WHERE office.id = message.customer_id AND office.closed))
    AND (server.id IS NULL OR server.state = 'active' OR server.server_protocol <> ${protocols.smtp} OR message.status = 1 OR ${ofStopped})`

/** Mailboxes that have work but no unfinished job for it. */
export const forgottenMailboxes = (db: Db, { job, wanted, enqueue }: Kind) => ({
  forgotten: (limit: number): Promise<OfMailbox[]> =>
    db.write(platform, (tx) =>
      tx.$queryRawUnsafe<OfMailbox[]>(
        `WITH unfinished AS (
          SELECT key FROM kit.job WHERE name = $1 AND state = 'waiting'
          UNION ALL SELECT key FROM kit.job WHERE name = $1 AND state = 'ready'
          UNION ALL SELECT key FROM kit.job WHERE name = $1 AND state = 'held'
          UNION ALL SELECT key FROM kit.job WHERE name = $1 AND state = 'running'
        )
        SELECT id, customer_id AS "customerId" FROM (${wanted}) AS wanted
        WHERE id::text NOT IN (SELECT key FROM unfinished)
        ORDER BY id LIMIT $2`,
        job,
        limit,
      ),
    ),

  /** Idempotent: a waiting job of the mailbox is not enqueued a second time. */
  enqueue: ({ id, customerId }: OfMailbox): Promise<void> => db.write(office(customerId), (tx) => enqueue(tx, customerId, id)),
})
