import { OutboundError, type OutboundFetch } from '@caseway/kit/outbound'
import { Webhook } from 'standardwebhooks'
import type { WebhookMessage, WebhookSender, WebhookTarget } from './webhook-sender.js'

/** The headers of the Standard Webhooks specification: a signature by each secret. */
function signedHeaders({ secrets }: Pick<WebhookTarget, 'secrets'>, { id, payload }: WebhookMessage, now: Date) {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, now, payload)).join(' '),
  }
}

/** Sends webhooks over HTTP. Only the status of an answer is used. @param fetch see `outboundFetch` */
export const httpWebhookSender = (fetch: OutboundFetch): WebhookSender => ({
  async send(target, message, signal) {
    const headers = {
      ...{ 'content-type': 'application/json', 'user-agent': 'Caseway-Webhooks/1' },
      ...signedHeaders(target, message, new Date()),
    }
    try {
      const { status: statusCode, ok } = await fetch(target.url, {
        method: 'POST',
        headers,
        body: message.payload,
        ...(signal && { signal }),
      })
      return { error: ok ? null : 'status', statusCode }
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error
      return { error: error.reason, statusCode: null }
    }
  },
})
