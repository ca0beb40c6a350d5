import type { Id } from '@caseway/kit/caller'
import { office } from '@caseway/kit/database'
import type { Db, Tx } from '../database.js'
import type { ChangeFolderCounts, FolderDelta } from './folder-count.js'

/** What the counts of an office lack, by the messages that were received and the drafts that were written here. One statement sees both as of one moment, so that nothing has to wait. */
const lacking = (tx: Tx, customerId: Id) =>
  tx.$queryRaw<FolderDelta[]>`
    WITH received AS (
      SELECT CASE
          WHEN folder_name IN ('DRAFTS', 'OTHERS') THEN message.user_id
          WHEN folder_name IS NULL THEN coalesce(mail_folders.user_id, 0)
          ELSE 0 END AS user_id,
        coalesce(folder_name, 'CUSTOM') AS folder, coalesce(mail_folder_id, 0) AS folder_id, count(*)::int AS count
      FROM mail_received_messages AS message LEFT JOIN mail_folders ON mail_folders.id = mail_folder_id
      WHERE message.customer_id = ${customerId} AND NOT removed AND (folder_name IS NOT NULL OR mail_folder_id IS NOT NULL)
        AND (folder_name = 'DRAFTS' OR NOT is_read AND coalesce(folder_name, '') NOT IN ('SENT', 'TRASH'))
      GROUP BY 1, 2, 3
    ), written AS (
      SELECT user_id, folder_name AS folder, 0::bigint AS folder_id, count(*)::int AS count FROM mail_sent_messages
      WHERE customer_id = ${customerId} AND folder_name = 'DRAFTS' GROUP BY 1, 2
    ), counted AS (
      SELECT user_id, folder, folder_id, sum(count)::int AS count
      FROM (TABLE received UNION ALL TABLE written) AS drafts GROUP BY 1, 2, 3
    ), kept AS (
      SELECT user_id, folder, folder_id, count FROM folder_counts WHERE customer_id = ${customerId}
    )
    SELECT user_id AS "userId", folder, folder_id AS "folderId", coalesce(counted.count, 0) - coalesce(kept.count, 0) AS by
    FROM counted FULL JOIN kept USING (user_id, folder, folder_id)
    WHERE coalesce(counted.count, 0) <> coalesce(kept.count, 0) ORDER BY 1, 2, 3`

export const folderRecount =
  (db: Db, change: ChangeFolderCounts<Tx>) =>
  /** @returns by how much each count is too low. With `repair` it is right afterwards, and published */
  (customerId: Id, { repair }: { readonly repair: boolean }): Promise<FolderDelta[]> =>
    db.write(office(customerId), async (tx) => {
      const missing = await lacking(tx, customerId)
      if (repair) await change(tx, customerId, missing)
      return missing
    })
