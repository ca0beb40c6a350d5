import type { Id } from '@caseway/kit/caller'
import type { WebhookTarget } from './webhook-sender.js'

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
