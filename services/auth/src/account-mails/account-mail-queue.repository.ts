import { platform } from '@caseway/kit/database'
import { enqueue } from '@caseway/kit/jobs'
import type { Person } from '../accounts/account.js'
import type { Db } from '../database.js'
import { accountMail, type MailRequest } from './account-mail.js'

export const accountMailQueue = (db: Db) => ({
  /**
   * Enqueues a mail; joins the running transaction, if there is one.
   * @param dedupe key; while a job with it has not begun, no second one is enqueued
   */
  add: (mail: MailRequest, dedupe?: string): Promise<void> =>
    db.write(platform, (tx) => enqueue(tx, accountMail, mail, dedupe === undefined ? {} : { dedupe })),

  /** Deletes the queued mails to an account that is being erased, in that transaction: they contain its address. */
  forget: ({ kind, id }: Person, email: string): Promise<unknown> =>
    db.write(
      platform,
      (tx) => tx.$executeRaw`
        DELETE FROM kit.job WHERE name = ${accountMail.name} AND state IN ('waiting', 'ready') AND payload->>'kind' = ${kind}
        AND (payload->>'id' = ${String(id)} OR lower(payload->>'email') = ${email.toLowerCase()})`,
    ),
})

export type AccountMailQueue = ReturnType<typeof accountMailQueue>
