import type { Readable } from 'node:stream'
import type { MailboxAccess } from './mailbox-access.js'

/** A mailbox of a POP3 server, signed in to (RFC 1939). Messages have the numbers of this connection. */
export interface Pop3Connection {
  /** The unique ids of all messages (UIDL), by their numbers. */
  uniqueIds(): Promise<ReadonlyMap<number, string>>
  /** Sizes in bytes, by the numbers of the messages. */
  sizes(): Promise<ReadonlyMap<number, number>>
  /**
   * The bytes of a message, as they come; null when the server has it no more. No other call before their end: bytes that are not read to it end the
   * connection, and so do more than `mostBytes`.
   */
  retrieve(number: number, mostBytes: number): Promise<Readable | null>
  /** The header of a message; null when the server has it no more, or gives no headers alone (TOP is optional). */
  header(number: number): Promise<Buffer | null>
  /** Says goodbye, whatever the server answers. */
  quit(): Promise<void>
  /** Ends the connection at once. */
  close(): void
}

/** Opens an authenticated connection to a POP3 server. @throws MailConnectionError */
export type OpenPop3 = (mailbox: MailboxAccess) => Promise<Pop3Connection>
