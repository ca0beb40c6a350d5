import type { AutoKind } from '../received-messages/arrivals/auto-kind.js'

/** An address with its display name; empty where it has none. */
export interface MailAddress {
  readonly address: string
  readonly name: string
}

/** An attachment of a message. */
export interface ParsedAttachment {
  /** Its place among the attachments of the message, from 0. */
  readonly position: number
  readonly filename: string
  readonly mime: string
  /** In bytes, decoded. */
  readonly size: number
  /** The Content-ID, without angle brackets. */
  readonly contentId: string | null
}

/** The fields of a header that have columns of their own. Their texts can be stored in PostgreSQL: they have no NUL and no lone surrogate. */
export interface HeaderFields {
  readonly from: MailAddress | null
  readonly to: readonly MailAddress[]
  readonly cc: readonly MailAddress[]
  readonly subject: string
  /** The Message-ID, without angle brackets. */
  readonly messageId: string | null
  readonly inReplyTo: string | null
  readonly references: readonly string[]
}

/** A parsed message. Its texts can be stored, like those of the header. */
export interface ParsedMail extends HeaderFields {
  readonly text: string
  /** As it was sent: sanitise it before it is shown. */
  readonly html: string | null
  readonly attachments: readonly ParsedAttachment[]
  /** The Date header; null where it is missing or cannot be read. */
  readonly date: Date | null
  /** 4 low, 3 normal, 2 high. */
  readonly priority: number
  readonly autoKind: AutoKind | null
  /** For a delivery report: its message/delivery-status part, and the Message-ID of the message that it reports on. */
  readonly report: { readonly status: string; readonly messageId: string | null } | null
}
