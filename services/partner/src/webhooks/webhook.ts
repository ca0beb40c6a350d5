import type { Id } from '@caseway/kit/caller'
import type { WebhookTarget } from './webhook-sender.js'

/** Webhooks that are sent to, of all offices, by why the last try failed; null where it did not. */
export interface WebhookState {
  readonly lastError: string | null
  readonly webhooks: number
  readonly offices: number
}

/** A webhook as it is sent to. */
export interface SendingWebhook extends WebhookTarget {
  readonly id: Id
  readonly customerId: Id
  readonly active: boolean
  readonly failures: number
  readonly failingSince: Date | null
  readonly pausedUntil: Date | null
  /** Another one after each change. */
  readonly version: number
}
