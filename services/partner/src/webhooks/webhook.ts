import type { Id } from '@caseway/kit/caller'
import type { WebhookTarget } from './webhook-sender.js'

/** The number of active webhooks of all offices, by the error of the last try; null where it succeeded. */
export interface WebhookState {
  readonly lastError: string | null
  readonly webhooks: number
  readonly offices: number
}

/** A webhook with everything that sending needs. */
export interface SendingWebhook extends WebhookTarget {
  readonly id: Id
  readonly customerId: Id
  readonly active: boolean
  readonly failures: number
  readonly failingSince: Date | null
  readonly pausedUntil: Date | null
  /** Incremented by each change. */
  readonly version: number
}
