import type { Metrics } from '@caseway/kit/observability'
import { outboundFetch } from '@caseway/kit/outbound'
import type { Secrets } from '@caseway/kit/secrets'
import type { Db } from '../database.js'
import { httpWebhookSender } from './http-webhook-sender.client.js'
import { type Changed, webhookRepository } from './webhook.repository.js'
import { webhookRoutes } from './webhook.routes.js'
import { webhookService } from './webhook.service.js'
import { countedSender, webhookTries } from './webhook-metrics.js'

interface Parts {
  readonly secrets: Secrets
  readonly config: { readonly outboundPrivateHosts: readonly string[] }
  readonly onChange: Changed
  readonly metrics: Pick<Metrics, 'registry'>
  onClose(name: string, close: () => unknown): void
}

/** The webhooks of offices. */
export function wireWebhooks(db: Db, { secrets, config, onChange, metrics, onClose }: Parts) {
  const privateHosts = config.outboundPrivateHosts
  const tries = webhookTries(metrics)
  const senderWithin = (timeoutMs: number) => {
    const fetch = outboundFetch({ privateHosts, timeoutMs, maxBytes: 65_536 })
    onClose('connections of webhooks', fetch.close)
    return countedSender(httpWebhookSender(fetch), tries)
  }
  // Less than the timeout of the gateway.
  const tester = senderWithin(4000)
  const rows = webhookRepository(db, secrets.sealer('webhooks'), onChange)
  const webhooks = webhookService({ webhooks: rows, tester, privateHosts })
  return {
    webhooks,
    sealed: rows.sealed,
    states: rows.states,
    sender: senderWithin(5000),
    routes: webhookRoutes(webhooks, secrets.sealer('answers of webhooks')),
  }
}
