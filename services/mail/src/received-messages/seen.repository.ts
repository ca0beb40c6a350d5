import type { Id } from '@caseway/kit/caller'
import type { PublishReceived } from '../changed-messages/changed-messages.js'
import type { Tx } from '../database.js'
import { type ChangeFolderCounts, type CountedMessage, deltasOf, type FolderDelta } from '../folder-counts/folder-count.js'
import type { Place, ReceivingMailbox } from './arrivals/arrived-message.js'
import type { TargetFolder } from './target-folder.js'

interface SeenPlace {
  readonly place: Place
  readonly seen: boolean
}

interface PlaceRow {
  readonly messageId: Id | null
  readonly seen: boolean
}

const inFolder = ({ id, userId, folderName: system, mailFolderId: custom }: CountedMessage & { readonly id: Id }) => ({
  ...{ id, userId },
  folders: [{ system, custom } as TargetFolder],
})

/** Applies read flags of servers to messages, and records the flags that are to be set on servers. */
export const seenRepository = (changeFolderCounts: ChangeFolderCounts<Tx>, publishReceived: PublishReceived<Tx>) => ({
  /**
   * Applies flags that have changed on the server. An unchanged flag is ignored, because a message at two places may be read at only one of them. A
   * flag that was to be set (`toSet`) differed from the server's last value: if the server has changed, it has the wanted value, and nothing is left
   * to set.
   */
  async seen(tx: Tx, { customerId }: ReceivingMailbox, places: readonly SeenPlace[]): Promise<void> {
    const rows = places.map(({ place, seen }) => ({
      ...{ remote_folder_id: String(place.remoteFolderId), epoch: place.epoch, uid: String(place.uid), seen },
    }))
    const said = JSON.stringify(rows)
    // Messages are locked before their places, in the same order as when a message is read here.
    await tx.$executeRaw`
      SELECT FROM mail_received_messages AS message WHERE customer_id = ${customerId} AND id IN (
        SELECT message_id FROM message_locations
        JOIN jsonb_to_recordset(${said}::jsonb) AS said (remote_folder_id bigint, epoch int, uid bigint, seen boolean)
          USING (remote_folder_id, epoch, uid)
        WHERE message_locations.seen <> said.seen)
      ORDER BY id FOR UPDATE`
    const placed = await tx.$queryRaw<PlaceRow[]>`
      UPDATE message_locations AS place
      SET seen = said.seen, seen_to_set = NULL
      FROM jsonb_to_recordset(${said}::jsonb) AS said (remote_folder_id bigint, epoch int, uid bigint, seen boolean)
      WHERE place.customer_id = ${customerId} AND place.remote_folder_id = said.remote_folder_id AND place.epoch = said.epoch AND place.uid = said.uid
        AND place.seen <> said.seen
      RETURNING place.message_id AS "messageId", place.seen`
    const news = new Map(placed.flatMap(({ messageId, seen }) => (messageId === null ? [] : [[messageId, seen]])))
    const ids = (wanted: boolean) => [...news].filter(([, seen]) => seen === wanted).map(([id]) => id)
    const changed = await tx.$queryRaw<(CountedMessage & { id: Id })[]>`
      UPDATE mail_received_messages SET is_read = id = ANY (${ids(true)}::bigint[])
      WHERE customer_id = ${customerId} AND NOT removed
        AND (id = ANY (${ids(true)}::bigint[]) AND NOT is_read OR id = ANY (${ids(false)}::bigint[]) AND is_read)
      RETURNING id, user_id AS "userId", folder_name AS "folderName", mail_folder_id AS "mailFolderId", is_read AS "isRead"`
    await publishReceived(tx, customerId, changed.map(inFolder))
    await changeFolderCounts(
      tx,
      customerId,
      changed.flatMap((after) => deltasOf({ ...after, isRead: !after.isRead }, after)),
    )
  },

  /**
   * Marks stored messages as read that were found at a further place on the server with the flag set: they were read there, and then moved or
   * renumbered. A message that was marked as unread here, which is not yet set on the server, stays unread.
   * @returns the changes of counts
   */
  async arrivedSeen(tx: Tx, { customerId }: ReceivingMailbox, messageIds: readonly Id[]): Promise<FolderDelta[]> {
    if (messageIds.length === 0) return []
    const changed = await tx.$queryRaw<(CountedMessage & { id: Id })[]>`
      UPDATE mail_received_messages SET is_read = true
      WHERE customer_id = ${customerId} AND id IN (
        SELECT id FROM mail_received_messages AS message
        WHERE customer_id = ${customerId} AND id = ANY (${messageIds}::bigint[]) AND NOT removed AND NOT is_read
          AND NOT EXISTS (SELECT FROM message_locations AS place WHERE place.message_id = message.id AND place.seen_to_set IS NOT NULL)
        ORDER BY id FOR UPDATE)
      RETURNING id, user_id AS "userId", folder_name AS "folderName", mail_folder_id AS "mailFolderId", is_read AS "isRead"`
    await publishReceived(tx, customerId, changed.map(inFolder))
    return changed.flatMap((after) => deltasOf({ ...after, isRead: false }, after))
  },

  /** Sets `seen_to_set` at new places of stored messages that were read here, unless another place has the flag already. */
  async toSetAt(tx: Tx, { customerId }: ReceivingMailbox, places: readonly Place[]): Promise<void> {
    if (places.length === 0) return
    const rows = places.map(({ remoteFolderId, epoch, uid }) => ({ remote_folder_id: String(remoteFolderId), epoch, uid: String(uid) }))
    await tx.$executeRaw`
      UPDATE message_locations AS place SET seen_to_set = message.is_read
      FROM mail_received_messages AS message,
        jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS came (remote_folder_id bigint, epoch int, uid bigint)
      WHERE place.customer_id = ${customerId} AND place.remote_folder_id = came.remote_folder_id AND place.epoch = came.epoch AND place.uid = came.uid
        AND message.id = place.message_id AND NOT message.removed AND message.is_read <> place.seen
        AND NOT EXISTS (SELECT FROM message_locations AS other WHERE other.message_id = message.id AND other.seen_to_set IS NULL
          AND (other.remote_folder_id, other.epoch, other.uid) <> (place.remote_folder_id, place.epoch, place.uid))`
  },

  /** Sets `seen_to_set` at all places of messages that were marked as read or unread here. @returns the mail servers with such places */
  async toSet(tx: Tx, customerId: Id, messageIds: readonly Id[], isRead: boolean): Promise<Id[]> {
    const rows = await tx.$queryRaw<{ mailServerId: Id }[]>`
      WITH changed AS (
        UPDATE message_locations SET seen_to_set = CASE WHEN seen = ${isRead}::boolean THEN NULL ELSE ${isRead}::boolean END
        WHERE customer_id = ${customerId} AND message_id = ANY (${messageIds}::bigint[]) RETURNING remote_folder_id
      ) SELECT DISTINCT mail_server_id AS "mailServerId" FROM remote_folders WHERE id IN (SELECT remote_folder_id FROM changed) ORDER BY 1`
    return rows.map(({ mailServerId }) => mailServerId)
  },
})

export type SeenRepository = ReturnType<typeof seenRepository>
