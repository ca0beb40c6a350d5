import type { MailHeaders } from '../received-messages/arrivals/arrived-message.js'
import type { ParsedMail } from './parsed-mail.js'

/** The limits of parsing. A message beyond them is stored, but only its header is known. */
export const limits = {
  /** The time for one message, in milliseconds. */
  timeoutMs: 20_000,
  /** The most bytes of the header. */
  headerBytes: 256 * 1024,
  /** The most characters of the text that is kept, and of the HTML. */
  textCharacters: 1_000_000,
  attachments: 1000,
}

/** Parses messages, which are untrusted input. */
export interface MailParser {
  /** Parses headers. @returns in the order of `blocks`; a header that cannot be read is empty */
  headers(blocks: readonly Uint8Array[]): Promise<MailHeaders[]>
  /** @returns null when the message cannot be parsed, or not in time. The memory of `source` may be transferred: do not use it afterwards */
  message(source: Uint8Array): Promise<ParsedMail | null>
  /** The bytes of these attachments, in the order of `positions`; null when the message cannot be parsed, or not in time. */
  attachments(source: Uint8Array, positions: readonly number[]): Promise<readonly (Uint8Array | null)[] | null>
  close(): Promise<void>
}
