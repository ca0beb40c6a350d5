import type { MailHeaders } from '../received-messages/arrived-message.js'
import type { ParsedMail } from './parsed-mail.js'

/** What a message cannot be parsed beyond: it is stored, and only its header is known. */
export const limits = {
  /** A message that takes longer is given up, in milliseconds. */
  timeoutMs: 20_000,
  /** Of the header, in bytes. */
  headerBytes: 256 * 1024,
  /** Of the text that is kept, and of the HTML, in characters. */
  textCharacters: 1_000_000,
  attachments: 1000,
}

/** Reads the bytes of messages, which anybody may have written. */
export interface MailParser {
  /** In their order. A header that cannot be read is an empty one. */
  headers(blocks: readonly Uint8Array[]): Promise<MailHeaders[]>
  /** Null when the message cannot be parsed, or not in time. The bytes are handed over: they may be gone afterwards. */
  message(source: Uint8Array): Promise<ParsedMail | null>
  /** The bytes of these attachments, in the order of `positions`; null when the message cannot be parsed, or not in time. */
  attachments(source: Uint8Array, positions: readonly number[]): Promise<readonly (Uint8Array | null)[] | null>
  close(): Promise<void>
}
