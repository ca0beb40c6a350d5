import type { Mailbox } from '../mail-connections/mailbox-access.js'

/** The folder in which a server keeps what was sent, over one connection. Each throws a MailConnectionError when the server fails. */
export interface SentFolder {
  has(messageId: string): Promise<boolean>
  /** Adds a message that was read. */
  append(bytes: Uint8Array): Promise<void>
  close(): Promise<void>
}

/** Opens it; null where the server has none. @throws MailConnectionError */
export type OpenSentFolder = (mailbox: Mailbox) => Promise<SentFolder | null>
