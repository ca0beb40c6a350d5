import type { Readable } from 'node:stream'
import type { Id } from '@caseway/kit/caller'
import type { MailAddress } from '../parsing/parsed-mail.js'

/** A file that a message carries. Its bytes are read when the message gets to them. */
export interface ComposedAttachment {
  readonly name: string
  readonly mime: string
  readonly content: Readable
}

/** A message that is to be written down (RFC 5322). Nothing of it names a recipient whom the others are not to know of. */
export interface MessageToCompose {
  /** Whose message it is. */
  readonly customerId: Id
  /** Without brackets, as those below. */
  readonly messageId: string
  /** When it is to leave. */
  readonly date: Date
  readonly inReplyTo: string | null
  readonly references: readonly string[]
  readonly from: MailAddress
  /** Empty where answers go to the sender. */
  readonly replyTo: string
  readonly to: readonly MailAddress[]
  readonly cc: readonly MailAddress[]
  readonly subject: string
  readonly html: string
  /** HTML below it; empty without one. */
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
