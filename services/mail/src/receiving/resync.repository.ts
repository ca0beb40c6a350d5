import type { Id } from '@caseway/kit/caller'
import type { Tx } from '../database.js'
import { enqueueSync } from './mailbox-sync.job.js'

/**
 * Tries at once what could not be fetched or stored.
 * @returns how many messages these are
 */
export async function replay(tx: Tx, customerId: Id, mailServerId: Id): Promise<number> {
  const { count } = await tx.ingestFailure.updateMany({ where: { customerId, mailServerId }, data: { nextTry: new Date() } })
  await enqueueSync(tx, customerId, mailServerId)
  return count
}

/** Forgets the folders of a mailbox, and where messages were there. A run that receives it meanwhile finds its folder no more, and begins again. */
export async function beginAnew(tx: Tx, customerId: Id, mailServerId: Id): Promise<void> {
  await tx.remoteFolder.deleteMany({ where: { customerId, mailServerId } })
}

/**
 * Compares every folder of a mailbox with its server again, flags and all, and tries at once what could not be fetched or stored. What is stored stays, and is not
 * fetched again.
 */
export async function resync(tx: Tx, customerId: Id, mailServerId: Id): Promise<void> {
  const where = { customerId, mailServerId }
  await tx.remoteFolder.updateMany({ where, data: { uidNext: null, highestModseq: null, comparedAt: null } })
  await replay(tx, customerId, mailServerId)
}
