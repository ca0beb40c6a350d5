import type { Id } from '@caseway/kit/caller'
import { office } from '@caseway/kit/database'
import type { Db } from '../database.js'
import type { MailAddress } from '../parsing/parsed-mail.js'

const select = {
  ...{ id: true, mailAddress: true, mailName: true, mailTo: true, mailCc: true, mailSubject: true },
  ...{ msgUniqueIdentifier: true, inReplyToMsgUid: true, reference: true },
} as const

const written = ({ address, name }: MailAddress) => (name ? `${name} <${address}>` : address)

/** The newest messages of the mailboxes of a user, as rules see them. Of their headers those are known that are kept beside the bytes. */
export const recentMessages = (db: Db) => async (customerId: Id, userId: Id, limit: number) => {
  const where = { customerId, userId, removed: false }
  const rows = await db.read(office(customerId)).mailReceivedMessage.findMany({
    ...{ where, select, orderBy: [{ timestamp: 'desc' }, { id: 'desc' }], take: limit },
  })
  return rows.map(({ id, mailAddress, mailName, mailTo, mailCc, mailSubject: subject, ...row }) => {
    const from = { address: mailAddress, name: mailName }
    const [to, cc] = [JSON.parse(mailTo) as MailAddress[], JSON.parse(mailCc) as MailAddress[]]
    const headers: Readonly<Record<string, readonly (string | null)[]>> = {
      from: [written(from)],
      to: [to.map(written).join(', ')],
      cc: [cc.map(written).join(', ')],
      subject: [subject],
      'message-id': [row.msgUniqueIdentifier && `<${row.msgUniqueIdentifier}>`],
      'in-reply-to': [row.inReplyToMsgUid && `<${row.inReplyToMsgUid}>`],
      references: [row.reference],
    }
    const get = (name: string) => (headers[name.toLowerCase()] ?? []).flatMap((value) => value ?? [])
    return { id, from, to, cc, subject, get }
  })
}
