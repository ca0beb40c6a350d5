import type { Id } from '@caseway/kit/caller'
import { office } from '@caseway/kit/database'
import type { Db, Tx } from '../database.js'
import type { BeginCount, ChangeFolderCounts, EndCount, FolderDelta } from './folder-count.js'

interface FolderCounts {
  readonly change: ChangeFolderCounts<Tx>
  readonly begin: BeginCount<Tx>
  readonly end: EndCount<Tx>
}

/** A wrong count. `by` may be 0 where a custom folder has no count, or a deleted one still has. */
interface WrongCount extends FolderDelta {
  readonly isCounted: boolean
  readonly isGone: boolean
}

/**
 * Compares the counts of an office with its received messages and the drafts that were written here, and returns the wrong ones. Each custom folder has a
 * count, even if it is 0. It is one statement, which sees a consistent snapshot, so that nothing has to be locked.
 */
const wrongCounts = (tx: Tx, customerId: Id) =>
  tx.$queryRaw<WrongCount[]>`
    WITH received AS (
      SELECT CASE
          WHEN folder_name IN ('DRAFTS', 'OTHERS') THEN message.user_id
          WHEN folder_name IS NULL THEN coalesce(mail_folders.user_id, 0)
          ELSE 0 END AS user_id,
        coalesce(folder_name, 'CUSTOM') AS folder, coalesce(mail_folder_id, 0) AS folder_id, count(*)::int AS count
      FROM mail_received_messages AS message LEFT JOIN mail_folders ON mail_folders.id = mail_folder_id
      WHERE message.customer_id = ${customerId} AND NOT message.removed AND (folder_name IS NOT NULL OR mail_folder_id IS NOT NULL)
        AND (folder_name = 'DRAFTS' OR NOT is_read AND coalesce(folder_name, '') NOT IN ('SENT', 'TRASH'))
      GROUP BY 1, 2, 3
    ), written AS (
      SELECT user_id, folder_name AS folder, 0::bigint AS folder_id, count(*)::int AS count FROM mail_sent_messages
      WHERE customer_id = ${customerId} AND folder_name = 'DRAFTS' GROUP BY 1, 2
    ), custom AS (
      SELECT coalesce(user_id, 0) AS user_id, 'CUSTOM' AS folder, id AS folder_id, 0 AS count FROM mail_folders
      WHERE customer_id = ${customerId} AND system_name IS NULL
    ), counted AS (
      SELECT user_id, folder, folder_id, sum(count)::int AS count
      FROM (TABLE received UNION ALL TABLE written UNION ALL TABLE custom) AS folders GROUP BY 1, 2, 3
    ), kept AS (
      SELECT user_id, folder, folder_id, count FROM folder_counts WHERE customer_id = ${customerId}
    )
    SELECT user_id AS "userId", folder, folder_id AS "folderId", coalesce(counted.count, 0) - coalesce(kept.count, 0) AS by,
      kept.count IS NOT NULL AS "isCounted", folder = 'CUSTOM' AND counted.count IS NULL AS "isGone"
    FROM counted FULL JOIN kept USING (user_id, folder, folder_id)
    WHERE coalesce(counted.count, 0) <> coalesce(kept.count, 0) OR folder = 'CUSTOM' AND (counted.count IS NULL OR kept.count IS NULL)
    ORDER BY 1, 2, 3`

export const folderRecount = (db: Db, { change, begin, end }: FolderCounts) => {
  const repairAll = async (tx: Tx, customerId: Id, wrong: readonly WrongCount[]) => {
    const there = wrong.filter(({ isGone }) => !isGone)
    for (const { folderId, userId } of there.filter(({ by, isCounted }) => by === 0 && !isCounted))
      await begin(tx, customerId, { id: folderId, userId: userId || null })
    for (const { folderId } of wrong.filter(({ isGone }) => isGone)) await end(tx, customerId, folderId)
    await change(tx, customerId, there)
  }

  /**
   * Finds the wrong counts of an office. `repair` corrects and publishes them. Recounts of an office run one at a time, since two repairs would both add
   * the difference. Changes of messages need not wait: they change messages and counts alike, so that the difference stays the same.
   * @returns how much too low each wrong count is; 0 where only its row is missing, or is left of a deleted folder
   */
  return (customerId: Id, { repair }: { readonly repair: boolean }): Promise<FolderDelta[]> =>
    db.write(office(customerId), async (tx) => {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('folder_counts', ${customerId}))`
      const wrong = await wrongCounts(tx, customerId)
      if (repair) await repairAll(tx, customerId, wrong)
      return wrong
    })
}
