import type { Employee, Id } from '@caseway/kit/caller'
import type { Tx } from '../database.js'

/** A message, and the case to which it belongs so far. */
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
  /** What its folder on the server is for (RFC 6154). */
  readonly specialUse: string | null
  /** The Message-IDs by which it belongs to its conversation, in the order in which they decide. */
  readonly named: readonly string[]
}

/** The cases of messages that were sent from here, by their Message-IDs. */
export type SentCases = (tx: Tx, customerId: Id, messageIds: readonly string[]) => Promise<ReadonlyMap<string, Id>>

/** The cases to which messages belong. */
export interface LinkedCases {
  /** Whether the office has a case, and the caller sees it. */
  isSeen(caller: Employee, issueId: Id): Promise<boolean>
  /**
   * Puts messages, which are locked, into a case; what comes into their conversations belongs to it from now on. Where a message is in the case already,
   * its conversation comes back from none, and stays in another one. With null they are taken out of theirs, and so are those conversations.
   */
  link(tx: Tx, reader: Employee, messages: readonly Linked[], issueId: Id | null): Promise<void>
  /** In the transaction in which something is put into a case: whether the case is still there is looked at again. */
  check(tx: Tx, customerId: Id, issueId: Id): Promise<void>
  /** What has come into conversations of cases is looked at. */
  arrived(tx: Tx, customerId: Id, messages: readonly NewlyStored[]): Promise<void>
}
