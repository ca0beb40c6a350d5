import type { Id } from '@caseway/kit/caller'
import type { Tx } from '../database.js'
import type { ChangeFolderCounts, FolderDelta } from '../folder-counts/folder-count.js'

interface Moved {
  readonly userId: Id
  readonly unread: number
}

/** Moves the messages of a custom folder that is deleted to OTHERS. */
export const emptiedFolder = (changeFolderCounts: ChangeFolderCounts<Tx>) => async (tx: Tx, customerId: Id, folderId: Id) => {
  const reason = JSON.stringify({ by: 'folder-removed', mail_folder_id: String(folderId), folder: 'OTHERS' })
  const moved = await tx.$queryRaw<Moved[]>`
    WITH moved AS (
      UPDATE mail_received_messages SET mail_folder_id = NULL, folder_name = 'OTHERS'
      WHERE customer_id = ${customerId} AND mail_folder_id = ${folderId} RETURNING id, user_id, mail_server_id, is_read, removed
    ), traced AS (
      INSERT INTO mail_traces (customer_id, message_id, mail_server_id, kind, reason)
      SELECT ${customerId}, id, mail_server_id, 'moved', ${reason}::jsonb FROM moved
    )
    SELECT user_id AS "userId", (count(*) FILTER (WHERE NOT is_read AND NOT removed))::int AS unread FROM moved GROUP BY user_id`
  const deltas = moved.flatMap(({ userId, unread }): FolderDelta[] => [
    { userId, folder: 'OTHERS', folderId: 0n, by: unread },
    { userId: 0n, folder: 'CUSTOM', folderId, by: -unread },
  ])
  await changeFolderCounts(tx, customerId, deltas)
}
