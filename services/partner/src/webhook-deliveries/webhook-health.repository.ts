import { publishAudit } from '@caseway/kit/audit'
import { office } from '@caseway/kit/database'
import { outbox } from '@caseway/kit/events'
import { webhookTopic } from '@caseway/protos/topics'
import type { Db, Tx } from '../database.js'
import type { SendingWebhook } from '../webhooks/webhook.js'
import { failingForMs, webhookPauseAfter } from './pauses.js'
import type { TriedDelivery } from './webhook-delivery.js'

/** Whether webhooks are accepted where they are sent. */
export const webhookHealthRepository = (db: Db) => {
  const change = async (tx: Tx, { id, customerId }: SendingWebhook, data: Parameters<Tx['webhook']['updateMany']>[0]['data']) => {
    await tx.webhook.updateMany({ where: { id, customerId }, data })
  }

  return {
    /** What follows from what became of what was sent together. */
    async follow(webhook: SendingWebhook, tried: readonly TriedDelivery[]): Promise<void> {
      const sent = tried.filter(({ payload }) => payload !== null)
      const isAccepted = sent.some(({ error }) => error === null)
      const lastError = sent.at(-1)?.error
      if (isAccepted ? webhook.failures === 0 : !lastError) return
      await db.write(office(webhook.customerId), async (tx) => {
        if (isAccepted) return change(tx, webhook, { failures: 0, failingSince: null, pausedUntil: null, lastError: null })
        const now = Date.now()
        const failures = webhook.failures + 1
        const failingSince = webhook.failingSince ?? new Date(now)
        const pausedUntil = new Date(now + webhookPauseAfter(failures))
        await change(tx, webhook, { failures, failingSince, pausedUntil, lastError: lastError ?? null })
        if (now - failingSince.getTime() > failingForMs) await switchOff(tx, webhook, lastError ?? '')
      })
    },
  }
}

export type WebhookHealth = ReturnType<typeof webhookHealthRepository>

async function switchOff(tx: Tx, { id, customerId }: SendingWebhook, error: string): Promise<void> {
  const where = { id, customerId, active: true }
  const [off] = await tx.webhook.updateManyAndReturn({ where, data: { active: false, disabledAt: new Date() } })
  if (!off) return
  const { userId, url, version } = off
  await outbox(tx, webhookTopic, { id, customerId, userId, host: new URL(url).hostname, revision: BigInt(version) })
  await publishAudit(tx, { kind: 'webhook.disabled', customerId, actor: null, subject: { kind: 'webhook', id }, details: { error } })
}
