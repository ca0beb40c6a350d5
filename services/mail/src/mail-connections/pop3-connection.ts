import type { Readable } from 'node:stream'
import type { MailboxAccess } from './mailbox-access.js'

/** A signed-in connection to a POP3 server (RFC 1939). Message numbers are valid within this connection only. */
export interface Pop3Connection {
  /** The unique ids of all messages (UIDL), by their numbers. */
  uniqueIds(): Promise<ReadonlyMap<number, string>>
  /** Sizes in bytes, by the numbers of the messages. */
  sizes(): Promise<ReadonlyMap<number, number>>
  /**
   * The bytes of a message as a stream; null when the server no longer has the message. Read the stream to its end before the next call: abandoning
   * it closes the connection, and so do more than `maxBytes`.
   */
  retrieve(number: number, maxBytes: number): Promise<Readable | null>
  /** The header of a message; null when the server no longer has the message, or does not implement the optional TOP. */
  header(number: number): Promise<Buffer | null>
  /** Sends QUIT and closes, whatever the server answers. */
  quit(): Promise<void>
  /** Ends the connection at once. */
  close(): void
}

/** Opens an authenticated connection to a POP3 server. @throws MailConnectionError */
export type OpenPop3 = (mailbox: MailboxAccess) => Promise<Pop3Connection>
