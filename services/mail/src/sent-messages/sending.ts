import type { Id } from '@caseway/kit/caller'
import type { Tx } from '../database.js'

/** The sending engine, as this module uses it. */
export interface Sending {
  /** Enqueues a run of the mailbox, in the transaction that queues a message. @param start now by default */
  enqueue(tx: Tx, customerId: Id, mailServerId: Id, start?: { readonly runAt: Date }): Promise<void>
}
