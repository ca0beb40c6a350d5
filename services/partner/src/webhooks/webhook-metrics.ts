import { Counter, type Metrics } from '@caseway/kit/observability'
import type { WebhookSender } from './webhook-sender.js'

/** Counts tries to send, by outcome. */
export const webhookTries = ({ registry }: Pick<Metrics, 'registry'>) =>
  new Counter({
    name: 'webhook_tries_total',
    help: 'Attempts to send an event to a webhook, by outcome: delivered, status, refused, unreachable, timeout or too-large',
    labelNames: ['outcome'],
    registers: [registry],
  })

/** Wraps `sender` to count its tries. */
export const countedSender = (sender: WebhookSender, tries: ReturnType<typeof webhookTries>): WebhookSender => ({
  async send(...sent) {
    const outcome = await sender.send(...sent)
    tries.inc({ outcome: outcome.error ?? 'delivered' })
    return outcome
  },
})
