import { platform } from '@caseway/kit/database'
import { enqueue } from '@caseway/kit/jobs'
import type { Person } from '../accounts/account.js'
import type { Db } from '../database.js'
import { type AskedMail, accountMail } from './account-mail.js'

export const accountMailQueue = (db: Db) => ({
  /**
   * In the transaction that is running, if there is one.
   * @param dedupe what a mail that has not begun is not asked for again
   */
  add: (mail: AskedMail, dedupe?: string): Promise<void> =>
    db.write(platform, (tx) => enqueue(tx, accountMail, mail, dedupe === undefined ? {} : { dedupe })),

  /** In the transaction that erases the account: what waits for its mail server names their addresses, and finds nobody any more. */
  forget: ({ kind, id }: Person, email: string): Promise<unknown> =>
    db.write(
      platform,
      (tx) => tx.$executeRaw`
        DELETE FROM kit.job WHERE name = ${accountMail.name} AND state IN ('waiting', 'ready') AND payload->>'kind' = ${kind}
        AND (payload->>'id' = ${String(id)} OR lower(payload->>'email') = ${email.toLowerCase()})`,
    ),
})

export type AccountMailQueue = ReturnType<typeof accountMailQueue>
