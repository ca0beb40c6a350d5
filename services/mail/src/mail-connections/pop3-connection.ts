import type { MailboxAccess } from './mailbox-access.js'

/** A mailbox of a POP3 server, signed in to (RFC 1939). Messages have the numbers of this connection. */
export interface Pop3Connection {
  /** The unique ids of all messages (UIDL), by their numbers. */
  uniqueIds(): Promise<ReadonlyMap<number, string>>
  /** Sizes in bytes, by the numbers of the messages. */
  sizes(): Promise<ReadonlyMap<number, number>>
  /** The bytes of a message. */
  retrieve(number: number): Promise<Buffer>
  /** The header of a message, and so many lines of its body. */
  top(number: number, lines: number): Promise<Buffer>
  /** Says goodbye, whatever the server answers. */
  quit(): Promise<void>
  /** Ends the connection at once. */
  close(): void
}

/** Opens an authenticated connection to a POP3 server. @throws MailConnectionError */
export type OpenPop3 = (mailbox: MailboxAccess) => Promise<Pop3Connection>
