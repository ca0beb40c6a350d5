import type { Id } from '@caseway/kit/caller'

/** A mailbox that sends messages. */
export interface OfMailbox {
  readonly id: Id
  readonly customerId: Id
}

/** A message that this process has claimed. */
export interface ClaimedMessage {
  readonly id: Id
  readonly customerId: Id
  /** The author. */
  readonly userId: Id
  readonly mailServerId: Id
  /** Incremented by each claim: a later claim outdates this one. */
  readonly fence: bigint
  readonly attempts: number
  readonly messageId: string
  readonly blobKey: string
  readonly sizeBytes: number
  /** The recipients of this attempt. */
  readonly to: readonly string[]
}

/** A message whose end may have been sent, and whose answer is not known. */
export interface UncertainMessage {
  readonly id: Id
  readonly fence: bigint
  readonly attempts: number
  readonly messageId: string
  /** Whether a recipient has accepted it before: then a copy of it may be older than the last attempt. */
  readonly wasSent: boolean
  /** The time since its end was to be sent, in milliseconds. */
  readonly ageMs: number
}

/** How long a server may be unreachable before its messages fail, as a PostgreSQL interval. */
export const unreachableFor = '1 day'

/** How long to wait for a copy that the server files by itself, in milliseconds. */
export const filedWithinMs = 120_000

export const uncertainText =
  'The connection was lost before the mail server had answered. Nobody knows whether the message was delivered. It was not sent again.'
export const bytesLostText = 'The bytes of the message are lost. It was not sent.'
export const noMailboxText = 'The mailbox was deleted before the message was sent.'
export const noSenderText = 'The mailbox does not send any more. The message was not sent.'
