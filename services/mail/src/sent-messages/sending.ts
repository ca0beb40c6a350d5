import type { Id } from '@caseway/kit/caller'
import type { Tx } from '../database.js'

/** What this module asks of the sender. */
export interface Sending {
  /**
   * A message of a mailbox waits to be sent, in the transaction that queues it.
   * @param at not before this; null: now
   */
  enqueue(tx: Tx, customerId: Id, mailServerId: Id, at: Date | null): Promise<void>
}
