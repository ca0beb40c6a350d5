import type { Id } from '@caseway/kit/caller'
import { office, type ParamOf, prepared, sql } from '@caseway/kit/database'
import type { Db } from '../../database.js'
import type { MailAddress } from '../../parsing/parsed-mail.js'

interface Query {
  readonly customerId: Id
  readonly userId: Id
  readonly limit: number
}

interface Row {
  readonly id: Id
  readonly address: string
  readonly name: string
  readonly mailTo: string
  readonly mailCc: string
  readonly subject: string
  readonly blobKey: string
}

/** No rule sorts a message from a special folder of the server. That is known from its trace, for as long as traces are kept. */
const newestSorted = prepared(
  (param: ParamOf<Query>) => sql<Row>`
    SELECT id, mail_address AS address, mail_name AS name, mail_to AS "mailTo", mail_cc AS "mailCc", mail_subject AS subject, blob_key AS "blobKey"
    FROM mail_received_messages AS message
    WHERE customer_id = ${param(({ customerId }) => customerId)} AND user_id = ${param(({ userId }) => userId)} AND NOT removed AND NOT EXISTS (
      SELECT FROM mail_traces AS trace
      WHERE trace.customer_id = message.customer_id AND trace.message_id = message.id AND trace.reason ->> 'by' = 'remote')
    ORDER BY "timestamp" DESC, id DESC LIMIT ${param(({ limit }) => limit)}`,
)

/** The newest messages of a user's mailboxes to which rules apply, as stored in columns. */
export const recentMessageRepository = (db: Db) => ({
  async newest(customerId: Id, userId: Id, limit: number) {
    const rows = await db.query(office(customerId), newestSorted({ customerId, userId, limit }))
    return rows.map(({ address, name, mailTo, mailCc, ...row }) => ({
      ...{ ...row, from: { address, name } },
      ...{ to: JSON.parse(mailTo) as MailAddress[], cc: JSON.parse(mailCc) as MailAddress[] },
    }))
  },
})

export type RecentMessageRepository = ReturnType<typeof recentMessageRepository>
