import { platform } from '@caseway/kit/database'
import type { Db } from '../database.js'
import { protocols } from '../mail-connections/mailbox-access.js'

const receiving = [protocols.imap, protocols.pop3]

/** Mailboxes of all offices that receive, in one state. */
export interface MailboxState {
  readonly state: string
  /** Whether it could not be received the last time. */
  readonly isFailing: boolean
  readonly count: number
  /** Since the one that was received the longest ago was received, in seconds; of those that do not fail, since it was set right or started again, where that is later. */
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

/** Messages of all offices that could not be fetched or stored, by what could not be done. */
export const ingestFailures = (db: Db) => (): Promise<{ error: string; count: number }[]> =>
  db.write(platform, (tx) => tx.$queryRaw<{ error: string; count: number }[]>`SELECT error, count(*)::int FROM ingest_failures GROUP BY 1`)
