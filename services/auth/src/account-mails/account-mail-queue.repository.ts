import { platform } from '@caseway/kit/database'
import { enqueue } from '@caseway/kit/jobs'
import type { Db } from '../database.js'
import { type AskedMail, accountMail } from './account-mail.js'

export const accountMailQueue = (db: Db) => ({
  /**
   * In the transaction that is running, if there is one.
   * @param dedupe what a mail that has not begun is not asked for again
   */
  add: (mail: AskedMail, dedupe?: string): Promise<void> =>
    db.write(platform, (tx) => enqueue(tx, accountMail, mail, dedupe === undefined ? {} : { dedupe })),
})

export type AccountMailQueue = ReturnType<typeof accountMailQueue>
