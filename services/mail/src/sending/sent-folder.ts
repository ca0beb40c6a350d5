import type { Mailbox } from '../mail-connections/mailbox-access.js'

/** The folder of a server for sent messages, over one connection. Each method throws MailConnectionError when the server fails. */
export interface SentFolder {
  has(messageId: string): Promise<boolean>
  /** Adds a message with the flag \Seen. @returns false where the server refuses it */
  append(bytes: Uint8Array): Promise<boolean>
  close(): Promise<void>
}

/** Opens the folder; null where the server has none. @throws MailConnectionError */
export type OpenSentFolder = (mailbox: Mailbox) => Promise<SentFolder | null>
