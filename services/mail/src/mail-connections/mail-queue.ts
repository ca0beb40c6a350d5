import type { Id } from '@caseway/kit/caller'
import type { Tx } from '../database.js'

/** A stored backfill whose months are to be fetched. */
export interface QueuedBackfill {
  readonly customerId: Id
  readonly mailServerId: Id
  /** The id of the command. */
  readonly id: Id
}

/** Enqueues work of the receiving and the sending engine, in the transaction of the change. */
export interface MailQueue {
  /** Fetches new messages now. */
  receive(tx: Tx, customerId: Id, mailServerId: Id): Promise<void>
  /** Compares the whole mailbox with the server again, now. */
  resync(tx: Tx, customerId: Id, mailServerId: Id): Promise<void>
  /** Drops the cursors of the folders, since the mailbox or its server has changed. Messages stay. */
  deleteFolders(tx: Tx, customerId: Id, mailServerId: Id): Promise<void>
  /** Sends due and deferred messages now. */
  sendNow(tx: Tx, customerId: Id, mailServerId: Id): Promise<void>
  /** The same for a mailbox that was corrected: messages that wait for its server wait for a day again before they fail. */
  sendAnew(tx: Tx, customerId: Id, mailServerId: Id): Promise<void>
  /** Fails the waiting messages of a mailbox that sends no more. */
  giveUp(tx: Tx, customerId: Id, mailServerId: Id): Promise<void>
  /** Retries now the messages that could not be fetched or stored. @returns their number */
  replay(tx: Tx, customerId: Id, mailServerId: Id): Promise<number>
  backfill(tx: Tx, command: QueuedBackfill): Promise<void>
}
