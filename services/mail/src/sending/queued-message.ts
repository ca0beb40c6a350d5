import type { Id } from '@caseway/kit/caller'

/** A mailbox of which messages are sent. */
export interface OfMailbox {
  readonly id: Id
  readonly customerId: Id
}

/** A message that this process has claimed. */
export interface ClaimedMessage {
  readonly id: Id
  readonly customerId: Id
  readonly mailServerId: Id
  /** Whoever claims it after this writes another one. */
  readonly fence: bigint
  readonly attempts: number
  readonly messageId: string
  readonly blobKey: string
  readonly sizeBytes: number
  /** Those to whom it goes now. */
  readonly to: readonly string[]
}

/** A message whose end was perhaps sent, and of which nobody knows the answer. */
export interface UncertainMessage {
  readonly id: Id
  readonly fence: bigint
  readonly attempts: number
  readonly messageId: string
  /** Whether somebody has accepted it before: then a copy of it may be older than the last attempt. */
  readonly wasSent: boolean
  /** Since its end was to be sent, in milliseconds. */
  readonly ageMs: number
}

/** For how long a server may be unreachable before its messages have failed, as PostgreSQL writes it. */
export const unreachableFor = '1 day'

/** For how long a copy is waited for that the server files by itself, in milliseconds. */
export const filedWithinMs = 120_000

export const uncertainText =
  'The connection was lost before the mail server had answered. Nobody knows whether the message was delivered. It was not sent again.'
export const bytesLostText = 'The bytes of the message are lost. It was not sent.'
export const noMailboxText = 'The mailbox was deleted before the message was sent.'
export const noSenderText = 'The mailbox does not send any more. The message was not sent.'
