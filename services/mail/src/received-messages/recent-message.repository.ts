import type { Id } from '@caseway/kit/caller'
import { office } from '@caseway/kit/database'
import type { Db } from '../database.js'
import type { MailAddress } from '../parsing/parsed-mail.js'

const select = { id: true, mailAddress: true, mailName: true, mailTo: true, mailCc: true, mailSubject: true, blobKey: true } as const

/** The newest messages of the mailboxes of a user, as they are kept beside their bytes. */
export const recentMessageRepository = (db: Db) => ({
  async newest(customerId: Id, userId: Id, limit: number) {
    const where = { customerId, userId, removed: false }
    const rows = await db.read(office(customerId)).mailReceivedMessage.findMany({
      ...{ where, select, orderBy: [{ timestamp: 'desc' }, { id: 'desc' }], take: limit },
    })
    return rows.map(({ id, mailAddress: address, mailName: name, mailTo, mailCc, mailSubject: subject, blobKey }) => ({
      ...{ id, subject, blobKey, from: { address, name } },
      ...{ to: JSON.parse(mailTo) as MailAddress[], cc: JSON.parse(mailCc) as MailAddress[] },
    }))
  },
})

export type RecentMessageRepository = ReturnType<typeof recentMessageRepository>
