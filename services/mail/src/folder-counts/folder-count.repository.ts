import type { Id } from '@caseway/kit/caller'
import { outbox, outboxAll } from '@caseway/kit/events'
import { folderCountTopic } from '@caseway/protos/topics'
import type { Tx } from '../database.js'
import { type BeginCount, type EndCount, type FolderDelta, summed } from './folder-count.js'
import { eventOf, type FolderCountRow } from './folder-count-event.js'

/**
 * Changes the counts in the transaction that changes the messages, and publishes them. Rows are locked in the order of their keys to avoid deadlocks.
 * Call it once in a transaction, and last: other changes of the same folders wait for its row locks.
 */
export async function changeFolderCounts(tx: Tx, customerId: Id, deltas: readonly FolderDelta[]): Promise<void> {
  const changes = summed(deltas)
  if (changes.length === 0) return
  const rows = await tx.$queryRaw<(FolderCountRow & { removed: boolean })[]>`
    INSERT INTO folder_counts (customer_id, user_id, folder, folder_id, count, revision)
    SELECT ${customerId}, coalesce(mail_folders.user_id, delta.user_id), delta.folder, delta.folder_id, delta.change, 1
    FROM unnest(
      ${changes.map(({ userId }) => userId)}::bigint[], ${changes.map(({ folder }) => folder)}::text[],
      ${changes.map(({ folderId }) => folderId)}::bigint[], ${changes.map(({ by }) => by)}::int[]
    ) AS delta (user_id, folder, folder_id, change)
    LEFT JOIN mail_folders ON mail_folders.id = delta.folder_id AND mail_folders.customer_id = ${customerId}
    ORDER BY 2, 3, 4
    ON CONFLICT (customer_id, user_id, folder, folder_id)
      DO UPDATE SET count = folder_counts.count + excluded.count, revision = folder_counts.revision + 1
    RETURNING customer_id AS "customerId", user_id AS "userId", folder, folder_id AS "folderId", count, revision,
      coalesce((SELECT removed FROM mail_folders WHERE mail_folders.id = folder_counts.folder_id), false) AS removed`
  await outboxAll(
    tx,
    folderCountTopic,
    rows.map(({ removed, ...row }) => eventOf(row, removed)),
  )
}

/** Creates the count of a custom folder at 0 unless it exists, in the transaction that creates the folder or recounts. */
export const beginCount: BeginCount<Tx> = async (tx, customerId, { id: folderId, userId }) => {
  const row = { customerId, userId: userId ?? 0n, folder: 'CUSTOM', folderId, count: 0, revision: 1n } as const
  const { count: begun } = await tx.folderCount.createMany({ data: [row], skipDuplicates: true })
  if (begun > 0) await outbox(tx, folderCountTopic, eventOf(row))
}

/** Publishes that a custom folder is not counted any more, in the transaction that removes it. The count is kept while messages are in the folder. */
export const hideCount: EndCount<Tx> = async (tx, customerId, folderId) => {
  const where = { customerId, folder: 'CUSTOM', folderId }
  const [row] = await tx.folderCount.updateManyAndReturn({ where, data: { revision: { increment: 1 } } })
  if (row) await outbox(tx, folderCountTopic, eventOf({ ...row, folder: 'CUSTOM' }, true))
}

/** Deletes the count of a custom folder and publishes that, in the transaction that deletes the folder, after its messages were moved. */
export const endCount: EndCount<Tx> = async (tx, customerId, folderId) => {
  const where = { customerId, folder: 'CUSTOM', folderId }
  const [row] = await tx.folderCount.findMany({ where })
  if (!row) return
  await tx.folderCount.deleteMany({ where })
  const { userId, revision } = row
  await outbox(tx, folderCountTopic, eventOf({ customerId, userId, folder: 'CUSTOM', folderId, count: 0, revision: revision + 1n }, true))
}
