import type { Id } from '@caseway/kit/caller'
import { extension } from 'mime-types'

/** The results of a virus scan. `pending`: no scan was requested yet, or it has not ended. */
export const scanStatuses = ['pending', 'ok', 'infected', 'failed'] as const
export type ScanStatus = (typeof scanStatuses)[number]

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
  /** The media type that the sender has declared. */
  readonly mime: string
  /** In bytes, decoded. */
  readonly size: number
  /** The Content-ID, without angle brackets. */
  readonly contentId: string | null
  readonly virusScanStatus: ScanStatus
  readonly virusScanError: string | null
  /** The key of the stored bytes; null unless a scan has found them clean. */
  readonly blobKey: string | null
}

/** The message of an attachment. */
export interface MessageOf {
  readonly id: Id
  readonly customerId: Id
}

export interface SeenMessage extends MessageOf {
  /** Whether its attachments were left on the mail server. */
  readonly partial: boolean
}

const mediaType = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/

/** The media type of the download: the sender's where it is valid, otherwise `application/octet-stream`. */
export const mimeOf = ({ mime }: Pick<Attachment, 'mime'>): string => {
  const type = mime.toLowerCase()
  return mediaType.test(type) ? type : 'application/octet-stream'
}

/** The name of the download: the sender's, or `attachment` with the extension of the media type. */
export function nameOf({ filename, mime }: Pick<Attachment, 'filename' | 'mime'>): string {
  if (filename !== '') return filename
  const known = extension(mime)
  return known ? `attachment.${known}` : 'attachment'
}
