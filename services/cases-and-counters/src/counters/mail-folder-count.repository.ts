import type { Id } from '@caseway/kit/caller'
import { keepNewest, office } from '@caseway/kit/database'
import type { Db } from '../database.js'
import type { FolderValue } from './counter.js'
import type { PublishCounters } from './issue-counter.repository.js'

export interface CopiedFolderCount extends FolderValue {
  readonly customerId: Id
  readonly revision: bigint
  /** Whether the folder was deleted. */
  readonly removed: boolean
}

export const mailFolderCountRepository = (db: Db, publish: PublishCounters) => ({
  /** Stores the count of a folder, unless a newer one is stored. */
  keep: ({ customerId, userId, folder, folderId, value, revision, removed }: CopiedFolderCount): Promise<void> =>
    db.write(office(customerId), async (tx) => {
      const row = { customer_id: customerId, user_id: userId, folder, folder_id: folderId, value, revision, removed }
      const written = await keepNewest(tx, 'mail_folder_counts', [row], ['customer_id', 'user_id', 'folder', 'folder_id'])
      if (written > 0) await db.batch(office(customerId), publish(customerId, [userId]))
    }),
})

export type MailFolderCountRepository = ReturnType<typeof mailFolderCountRepository>
