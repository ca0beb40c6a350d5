import type { Id } from '@caseway/kit/caller'
import { extension } from 'mime-types'

/** What the virus scanner says of an attachment. Nobody has asked for one that is `pending`, or the scan has not ended. */
export const scanStatuses = ['pending', 'ok', 'infected', 'failed'] as const
export type ScanStatus = (typeof scanStatuses)[number]

/** What a scan has found. */
export interface ScanResult {
  readonly status: Exclude<ScanStatus, 'pending'>
  readonly error?: string
}

export interface Attachment {
  readonly customerId: Id
  readonly messageId: Id
  /** Its place among the attachments of the message, from 0. */
  readonly position: number
  readonly filename: string
  /** As the sender has named it. */
  readonly mime: string
  /** In bytes, decoded. */
  readonly size: number
  /** Without brackets. */
  readonly contentId: string | null
  readonly virusScanStatus: ScanStatus
  readonly virusScanError: string | null
  /** Of the bytes that the scanner has found clean. */
  readonly blobKey: string | null
}

/** The message of an attachment. */
export interface MessageOf {
  readonly id: Id
  readonly customerId: Id
}

export interface SeenMessage extends MessageOf {
  /** Its attachments were left on its server. */
  readonly partial: boolean
}

const mediaType = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/

/** The media type with which an attachment leaves: the sender's, where it is one. */
export const mimeOf = ({ mime }: Pick<Attachment, 'mime'>): string => {
  const type = mime.toLowerCase()
  return mediaType.test(type) ? type : 'application/octet-stream'
}

/** The name of an attachment; that of its media type where its sender has given it none. */
export function nameOf({ filename, mime }: Pick<Attachment, 'filename' | 'mime'>): string {
  if (filename !== '') return filename
  const known = extension(mime)
  return known ? `attachment.${known}` : 'attachment'
}
