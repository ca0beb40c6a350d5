import type { Id } from '@caseway/kit/caller'
import type { PublishReceived } from '../changed-messages/changed-messages.js'
import type { Tx } from '../database.js'
import type { ChangeFolderCounts, FolderDelta } from '../folder-counts/folder-count.js'
import { systemFolder } from './target-folder.js'

interface Moved {
  readonly userId: Id
  readonly unread: number
  /** The ids of messages that are not removed. */
  readonly ids: Id[]
}

/**
 * Moves up to `limit` messages of a custom folder that is being deleted to OTHERS.
 * @returns the number of moved messages
 */
export const emptiedFolder =
  (changeFolderCounts: ChangeFolderCounts<Tx>, publishReceived: PublishReceived<Tx>) =>
  async (tx: Tx, customerId: Id, folderId: Id, limit: number): Promise<number> => {
    // In the order in which messages are locked everywhere.
    const locked = await tx.$queryRaw<{ id: Id }[]>`
      SELECT id FROM mail_received_messages WHERE customer_id = ${customerId} AND mail_folder_id = ${folderId}
      ORDER BY id LIMIT ${limit} FOR UPDATE`
    const reason = JSON.stringify({ by: 'folder-removed', mail_folder_id: String(folderId), folder: 'OTHERS' })
    const moved = await tx.$queryRaw<Moved[]>`
    WITH moved AS (
      UPDATE mail_received_messages SET mail_folder_id = NULL, folder_name = 'OTHERS'
      WHERE customer_id = ${customerId} AND id = ANY (${locked.map(({ id }) => id)}::bigint[]) RETURNING id, user_id, mail_server_id, is_read, removed
    ), traced AS (
      INSERT INTO mail_traces (customer_id, message_id, mail_server_id, kind, reason)
      SELECT ${customerId}, id, mail_server_id, 'moved', ${reason}::jsonb FROM moved
    )
    SELECT user_id AS "userId", (count(*) FILTER (WHERE NOT is_read AND NOT removed))::int AS unread,
      coalesce(array_agg(id ORDER BY id) FILTER (WHERE NOT removed), '{}') AS ids
    FROM moved GROUP BY user_id`
    // Each message is in a personal folder of its owner now.
    const changed = moved.flatMap(({ userId, ids }) => ids.map((id) => ({ id, userId, folders: [systemFolder('OTHERS')] })))
    await publishReceived(tx, customerId, changed)
    const deltas = moved.flatMap(({ userId, unread }): FolderDelta[] => [
      { userId, folder: 'OTHERS', folderId: 0n, by: unread },
      { userId: 0n, folder: 'CUSTOM', folderId, by: -unread },
    ])
    await changeFolderCounts(tx, customerId, deltas)
    return locked.length
  }
