import type { Id } from '@caseway/kit/caller'
import type { Tx } from '../database.js'
import type { FrozenMessage, WrittenMessage } from './written-message.js'

/** Whose a message is. */
export interface Writer {
  readonly customerId: Id
  readonly userId: Id
}

/** Adds a message to those of somebody, in the transaction of what it is made of. */
export type AddMessage = (tx: Tx, writer: Writer, written: WrittenMessage, frozen: FrozenMessage | null) => Promise<Id>
