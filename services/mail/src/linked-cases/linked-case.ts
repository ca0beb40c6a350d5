import type { Employee, Id } from '@caseway/kit/caller'
import type { Tx } from '../database.js'

/** A message with the case to which it is linked so far. */
export interface Linked {
  readonly id: Id
  readonly mailServerId: Id
  readonly mailThreadId: Id
  readonly issueId: Id | null
}

/** A message that has just been stored. */
export interface NewlyStored {
  readonly id: Id
  readonly mailThreadId: Id
  /** The special use of its folder on the server (RFC 6154). */
  readonly specialUse: string | null
  /** The Message-IDs that put it into its conversation, the deciding ones first. */
  readonly named: readonly string[]
}

/** Looks up the cases of sent messages by their Message-IDs. */
export type SentCases = (tx: Tx, customerId: Id, messageIds: readonly string[]) => Promise<ReadonlyMap<string, Id>>

/** Links messages to cases. */
export interface LinkedCases {
  /** Whether the office has the case and the caller sees it. */
  isSeen(caller: Employee, issueId: Id): Promise<boolean>
  /**
   * Links messages, which the caller has locked, to a case, and their conversations with them, so that later messages follow. Where a message is
   * linked to the case already, its conversation is linked only if it has no case. With null, messages are unlinked, and conversations with the same
   * cases.
   */
  link(tx: Tx, reader: Employee, messages: readonly Linked[], issueId: Id | null): Promise<void>
  /** Enqueues a check that the case still exists. To be called in the transaction that links something to it. */
  check(tx: Tx, customerId: Id, issueId: Id): Promise<void>
  /** Links conversations to the cases of the sent messages that they answer, and enqueues the linking of the messages. */
  arrived(tx: Tx, customerId: Id, messages: readonly NewlyStored[]): Promise<void>
}
