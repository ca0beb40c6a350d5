import type { Employee, Id } from '@caseway/kit/caller'
import { notFound } from '@caseway/kit/errors'
import { webhookUrl } from '../errors.js'
import type { WebhookRepository } from './webhook.repository.js'
import type { NewWebhook, WebhookChanges } from './webhook.resource.js'
import { newSecret } from './webhook-secret.js'
import type { TryOutcome, WebhookSender } from './webhook-sender.js'
import { wrongUrl } from './webhook-url.js'

export interface WebhookParts {
  readonly webhooks: WebhookRepository
  /** The sender of test events, with a shorter timeout. */
  readonly tester: WebhookSender
  /** The hosts of `OUTBOUND_PRIVATE_HOSTS`. */
  readonly privateHosts: readonly string[]
}

/** The webhooks of an office. A secret is returned only when it is created. */
export const webhookService = ({ webhooks, tester, privateHosts }: WebhookParts) => {
  const wrongAddress = (url: string) => wrongUrl(url, privateHosts)
  const mayBeAt = (url: string | undefined) => {
    const wrong = url !== undefined && wrongAddress(url)
    if (wrong) throw webhookUrl(wrong)
  }
  const { list, get, remove, toSend } = webhooks
  return {
    ...{ list, get, remove, toSend, wrongAddress },

    async fieldErrors(_: Employee, { url }: WebhookChanges): Promise<Readonly<Record<string, string>>> {
      const wrong = url !== undefined && wrongAddress(url)
      return wrong ? { url: wrong } : {}
    },

    async create(caller: Employee, input: NewWebhook): Promise<{ id: Id; secret: string }> {
      mayBeAt(input.url)
      const secret = newSecret()
      return { id: await webhooks.create(caller, input, secret), secret }
    },

    async change(caller: Employee, id: Id, changes: WebhookChanges, expected?: number): Promise<void> {
      mayBeAt(changes.url)
      await webhooks.change(caller, id, changes, expected)
    },

    async replaceSecret(caller: Employee, id: Id): Promise<string> {
      const secret = newSecret()
      await webhooks.replaceSecret(caller, id, secret)
      return secret
    },

    /** Sends a test event once. Nothing is stored. @throws AppError `not-found` */
    async test({ customerId }: Employee, id: Id): Promise<TryOutcome> {
      const webhook = await webhooks.toSend(customerId, id)
      if (!webhook) throw notFound()
      const now = new Date()
      const payload = JSON.stringify({ type: 'webhook.test', timestamp: now.toISOString(), data: { Webhook: { id: String(id) } } })
      return tester.send(webhook, { id: `test_${id}_${now.getTime()}`, payload })
    },
  }
}

export type WebhookService = ReturnType<typeof webhookService>
