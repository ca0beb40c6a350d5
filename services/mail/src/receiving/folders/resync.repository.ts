import type { Id } from '@caseway/kit/caller'
import type { Tx } from '../../database.js'
import { enqueueSync } from '../mailboxes/mailbox-sync.job.js'

/** Retries now all messages that could not be fetched or stored. @returns their number */
export async function replay(tx: Tx, customerId: Id, mailServerId: Id): Promise<number> {
  const { count } = await tx.ingestFailure.updateMany({ where: { customerId, mailServerId }, data: { nextTry: new Date() } })
  await enqueueSync(tx, customerId, mailServerId)
  return count
}

/** Deletes the folders of a mailbox with their cursors and places. A run that receives it meanwhile does not find its folder any more, and begins again. */
export async function deleteFolders(tx: Tx, customerId: Id, mailServerId: Id): Promise<void> {
  await tx.remoteFolder.deleteMany({ where: { customerId, mailServerId } })
}

/** Makes the next run compare every folder with its server, including flags, and retry failed messages. Stored messages stay, and are not fetched again. */
export async function resync(tx: Tx, customerId: Id, mailServerId: Id): Promise<void> {
  const where = { customerId, mailServerId }
  await tx.remoteFolder.updateMany({ where, data: { uidNext: null, highestModseq: null, comparedAt: null } })
  await replay(tx, customerId, mailServerId)
}
