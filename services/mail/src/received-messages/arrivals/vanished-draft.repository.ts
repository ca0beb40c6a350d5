import type { Id } from '@caseway/kit/caller'
import type { PublishReceived } from '../../changed-messages/changed-messages.js'
import type { Tx } from '../../database.js'
import { type ChangeFolderCounts, deltasOf, type FolderDelta } from '../../folder-counts/folder-count.js'
import { systemFolder } from '../target-folder.js'
import type { DraftsAtServer } from './arrived-message.js'

interface Moved {
  readonly id: Id
  readonly userId: Id
  readonly isRead: boolean
}

const vanished = JSON.stringify({ by: 'vanished', from: { folder: 'DRAFTS' }, folder: 'TRASH' })
const returned = JSON.stringify({ by: 'returned', from: { folder: 'TRASH' }, folder: 'DRAFTS' })

const folders = [systemFolder('DRAFTS'), systemFolder('TRASH')]

const counted = ({ userId, isRead }: Moved) => ({ userId, isRead, folderName: 'DRAFTS', mailFolderId: null }) as const

/** Drafts that are gone from the drafts folder of their server, and those that are there again. */
export const vanishedDraftRepository = (changeFolderCounts: ChangeFolderCounts<Tx>, publishReceived: PublishReceived<Tx>) => {
  const publish = (tx: Tx, customerId: Id, moved: readonly Moved[]) =>
    publishReceived(
      tx,
      customerId,
      moved.map(({ id, userId }) => ({ id, userId, folders })),
    )

  return {
    /**
     * Moves drafts to TRASH, from where they can be restored: a mail client replaces a draft each time it saves it, and removes it when it sends it.
     * A draft that has another place on the server, other than the trash, stays.
     */
    async vanish(tx: Tx, customerId: Id, { remoteFolderId, epoch, uids }: DraftsAtServer, forget: () => Promise<void>): Promise<void> {
      // Messages are locked before their places, in the same order as when a message is read here.
      const drafts = await tx.$queryRaw<{ id: Id }[]>`
        SELECT id FROM mail_received_messages
        WHERE customer_id = ${customerId} AND folder_name = 'DRAFTS' AND NOT removed AND id IN (
          SELECT message_id FROM message_locations
          WHERE customer_id = ${customerId} AND remote_folder_id = ${remoteFolderId} AND epoch = ${epoch}
            AND (${uids}::bigint[] IS NULL OR uid = ANY (${uids}::bigint[])))
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
          SELECT ${customerId}, id, mail_server_id, 'moved', ${vanished}::jsonb FROM moved
        )
        SELECT id, user_id AS "userId", is_read AS "isRead" FROM moved`
      await publish(tx, customerId, moved)
      const deltas = moved.flatMap((one) => deltasOf(counted(one), null))
      await changeFolderCounts(tx, customerId, deltas)
    },

    /**
     * Handles stored messages that were found in another folder of their server, which is not the trash. A draft that `vanish` has moved to TRASH was
     * only moved on the server: it goes back to DRAFTS, unless somebody has moved it here since. The messages are locked first, so that an
     * uncommitted move counts.
     * @returns the changes of counts
     */
    async arriveAgain(tx: Tx, customerId: Id, messageIds: readonly Id[]): Promise<FolderDelta[]> {
      if (messageIds.length === 0) return []
      await tx.$executeRaw`SELECT FROM mail_received_messages WHERE customer_id = ${customerId} AND id = ANY (${messageIds}::bigint[]) ORDER BY id FOR UPDATE`
      const moved = await tx.$queryRaw<Moved[]>`
        WITH moved AS (
          UPDATE mail_received_messages AS message SET folder_name = 'DRAFTS', before = NULL
          WHERE customer_id = ${customerId} AND id = ANY (${messageIds}::bigint[]) AND folder_name = 'TRASH' AND NOT removed AND 'vanished' = (
            SELECT reason ->> 'by' FROM mail_traces AS trace
            WHERE trace.customer_id = ${customerId} AND trace.message_id = message.id AND trace.kind = 'moved' ORDER BY trace.id DESC LIMIT 1)
          RETURNING id, user_id, mail_server_id, is_read
        ), traced AS (
          INSERT INTO mail_traces (customer_id, message_id, mail_server_id, kind, reason)
          SELECT ${customerId}, id, mail_server_id, 'moved', ${returned}::jsonb FROM moved
        )
        SELECT id, user_id AS "userId", is_read AS "isRead" FROM moved`
      await publish(tx, customerId, moved)
      return moved.flatMap((one) => deltasOf(null, counted(one)))
    },
  }
}

export type VanishedDrafts = ReturnType<typeof vanishedDraftRepository>
