import type { Id } from '@caseway/kit/caller'
import type { Tx } from '../database.js'
import type { FrozenMessage, WrittenMessage } from './written-message.js'

/** The owner of a message. */
export interface Writer {
  readonly customerId: Id
  readonly userId: Id
}

/** Adds a message of a user, in the transaction that causes it. @returns its id */
export type AddMessage = (tx: Tx, writer: Writer, written: WrittenMessage, frozen: FrozenMessage | null) => Promise<Id>
