import type { Id } from '@caseway/kit/caller'
import type { PublishReceived } from '../changed-messages/changed-messages.js'
import type { Tx } from '../database.js'
import { type ChangeFolderCounts, deltasOf } from '../folder-counts/folder-count.js'
import type { DraftsAtServer, ReceivingMailbox } from './arrived-message.js'
import { systemFolder } from './target-folder.js'

interface Moved {
  readonly id: Id
  readonly userId: Id
  readonly isRead: boolean
}

const reason = JSON.stringify({ by: 'vanished', from: { folder: 'DRAFTS' }, folder: 'TRASH' })

/**
 * Drafts that are gone from the drafts of their server go to TRASH, from where they can be restored: a mail program replaces a draft each time it saves it, and removes it when it
 * sends it. One that is still somewhere else there, but in the trash, stays.
 */
export const vanishedDrafts =
  (changeFolderCounts: ChangeFolderCounts<Tx>, publishReceived: PublishReceived<Tx>) =>
  async (tx: Tx, { customerId }: ReceivingMailbox, { remoteFolderId, epoch, uids }: DraftsAtServer, forget: () => Promise<void>) => {
    // Messages before their places, as whoever reads one here locks them.
    const drafts = await tx.$queryRaw<{ id: Id }[]>`
      SELECT id FROM mail_received_messages
      WHERE customer_id = ${customerId} AND folder_name = 'DRAFTS' AND NOT removed AND id IN (
        SELECT message_id FROM message_locations
        WHERE customer_id = ${customerId} AND remote_folder_id = ${remoteFolderId} AND epoch = ${epoch} AND uid = ANY (${uids}::bigint[]))
      ORDER BY id FOR UPDATE`
    await forget()
    const moved = await tx.$queryRaw<Moved[]>`
      WITH moved AS (
        UPDATE mail_received_messages AS message SET folder_name = 'TRASH', before = '{"folder_name": "DRAFTS", "mail_folder_id": null}'
        WHERE customer_id = ${customerId} AND id = ANY (${drafts.map(({ id }) => id)}::bigint[]) AND NOT EXISTS (
          SELECT FROM message_locations AS place JOIN remote_folders AS folder ON folder.id = place.remote_folder_id
          WHERE place.message_id = message.id AND folder.special_use IS DISTINCT FROM 'trash')
        RETURNING id, user_id, mail_server_id, is_read
      ), traced AS (
        INSERT INTO mail_traces (customer_id, message_id, mail_server_id, kind, reason)
        SELECT ${customerId}, id, mail_server_id, 'moved', ${reason}::jsonb FROM moved
      )
      SELECT id, user_id AS "userId", is_read AS "isRead" FROM moved`
    const folders = [systemFolder('DRAFTS'), systemFolder('TRASH')]
    await publishReceived(
      tx,
      customerId,
      moved.map(({ id, userId }) => ({ id, userId, folders })),
    )
    const left = moved.flatMap(({ userId, isRead }) => deltasOf({ userId, isRead, folderName: 'DRAFTS', mailFolderId: null }, null))
    await changeFolderCounts(tx, customerId, left)
  }

export type VanishedDrafts = ReturnType<typeof vanishedDrafts>
