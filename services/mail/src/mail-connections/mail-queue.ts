import type { Id } from '@caseway/kit/caller'
import type { Tx } from '../database.js'

/** A backfill that was accepted, and whose months are to be fetched. */
export interface QueuedBackfill {
  readonly customerId: Id
  readonly mailServerId: Id
  /** The id of the command. */
  readonly id: Id
}

/** The queues of the engines that receive and send: what is enqueued is there when the transaction is. */
export interface MailQueue {
  /** Looks for new messages now. */
  receive(tx: Tx, customerId: Id, mailServerId: Id): Promise<void>
  /** Compares everything with the server again, now. */
  resync(tx: Tx, customerId: Id, mailServerId: Id): Promise<void>
  /** The mailbox is another one now, or elsewhere: how far its folders were read is forgotten. Messages stay. */
  beginAnew(tx: Tx, customerId: Id, mailServerId: Id): Promise<void>
  /** Sends what is due, and what was deferred, now. */
  sendNow(tx: Tx, customerId: Id, mailServerId: Id): Promise<void>
  /** The same when the mailbox was set right: what waits for its server does so for a day again. */
  sendAnew(tx: Tx, customerId: Id, mailServerId: Id): Promise<void>
  /** Nothing is sent through the mailbox any more: what waits has failed. */
  giveUp(tx: Tx, customerId: Id, mailServerId: Id): Promise<void>
  /** Tries what could not be fetched or stored, now. @returns how many messages these are */
  replay(tx: Tx, customerId: Id, mailServerId: Id): Promise<number>
  backfill(tx: Tx, command: QueuedBackfill): Promise<void>
}
