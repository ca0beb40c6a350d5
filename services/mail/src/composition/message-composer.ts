import type { Readable } from 'node:stream'
import type { Id } from '@caseway/kit/caller'
import type { MailAddress } from '../parsing/parsed-mail.js'

/** An attached file. Its bytes are read when the composer reaches it. */
export interface ComposedAttachment {
  readonly name: string
  readonly mime: string
  readonly content: Readable
}

/** A message to compose (RFC 5322). It has no bcc recipients, so that its header cannot name them. */
export interface MessageToCompose {
  /** The office that sends it. */
  readonly customerId: Id
  /** Without angle brackets, as are `inReplyTo` and `references`. */
  readonly messageId: string
  /** The Date header. */
  readonly date: Date
  readonly inReplyTo: string | null
  readonly references: readonly string[]
  readonly from: MailAddress
  /** The Reply-To address; empty for none. */
  readonly replyTo: string
  readonly to: readonly MailAddress[]
  readonly cc: readonly MailAddress[]
  readonly subject: string
  readonly html: string
  /** HTML below the text; empty for none. */
  readonly signature: string
  /** 4 low, 3 normal, 2 high. */
  readonly priority: number
  readonly requestReadReceipt: boolean
  readonly attachments: readonly ComposedAttachment[]
}

export interface MessageComposer {
  /** The bytes, with CR LF at the end of lines. The stream fails when an attachment cannot be read. */
  compose(message: MessageToCompose): Promise<Readable>
}
