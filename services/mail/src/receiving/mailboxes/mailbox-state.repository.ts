import { platform } from '@caseway/kit/database'
import type { Db } from '../../database.js'
import { protocols } from '../../mail-connections/mailbox-access.js'

const receiving = [protocols.imap, protocols.pop3]

/** Mailboxes of all offices that receive, in one state. */
export interface MailboxState {
  readonly state: string
  /** Whether their last attempt to receive has failed. */
  readonly isFailing: boolean
  readonly count: number
  /**
   * The longest time since one of them was received, in seconds. For mailboxes that do not fail it is counted from their last change (corrected,
   * resumed) where that is later.
   */
  readonly oldestSeconds: number
}

export const mailboxStates = (db: Db) => (): Promise<MailboxState[]> =>
  db.write(
    platform,
    (tx) => tx.$queryRaw<MailboxState[]>`
      SELECT state, failures > 0 AS "isFailing", count(*)::int,
        greatest(0, extract(epoch FROM now() - min(
          CASE WHEN failures > 0 THEN coalesce(last_fetch_at, created) ELSE greatest(last_fetch_at, modified) END)))::float8 AS "oldestSeconds"
      FROM mail_servers WHERE server_protocol = ANY (${receiving}::int[]) GROUP BY 1, 2`,
  )

/** The numbers of messages of all offices that could not be fetched or stored, by the step that failed. */
export const ingestFailures = (db: Db) => (): Promise<{ error: string; count: number }[]> =>
  db.write(platform, (tx) => tx.$queryRaw<{ error: string; count: number }[]>`SELECT error, count(*)::int FROM ingest_failures GROUP BY 1`)
