import type { AutoKind } from '../received-messages/auto-kind.js'

/** An address with the name that stands beside it; empty where there is none. */
export interface MailAddress {
  readonly address: string
  readonly name: string
}

/** A part of a message that is a file. */
export interface ParsedAttachment {
  /** Its place among the attachments of the message, from 0. */
  readonly position: number
  readonly filename: string
  readonly mime: string
  /** In bytes, decoded. */
  readonly size: number
  /** Of the header Content-ID, without brackets. */
  readonly contentId: string | null
}

/** The fields of a header that have columns of their own. The texts can be stored: they have no NUL and no lone surrogate. */
export interface HeaderFields {
  readonly from: MailAddress | null
  readonly to: readonly MailAddress[]
  readonly cc: readonly MailAddress[]
  readonly subject: string
  /** Without brackets. */
  readonly messageId: string | null
  readonly inReplyTo: string | null
  readonly references: readonly string[]
}

/** What a parser reads in the bytes of a message. Its texts can be stored, as those of the header. */
export interface ParsedMail extends HeaderFields {
  readonly text: string
  /** As it was sent, and not to be shown before it is sanitised. */
  readonly html: string | null
  readonly attachments: readonly ParsedAttachment[]
  /** Of the header Date; null where it is none. */
  readonly date: Date | null
  /** 4 low, 3 normal, 2 high. */
  readonly priority: number
  readonly autoKind: AutoKind | null
  /** Of a delivery report: its part message/delivery-status, and the Message-ID of what it is about. */
  readonly report: { readonly status: string; readonly messageId: string | null } | null
}
