import { publishAudit } from '@caseway/kit/audit'
import { office } from '@caseway/kit/database'
import { outbox } from '@caseway/kit/events'
import { webhookTopic } from '@caseway/protos/topics'
import type { Db, Tx } from '../database.js'
import type { SendingWebhook } from '../webhooks/webhook.js'
import { failingForMs, failingSinceOf, webhookPauseAfter } from './pauses.js'
import type { TriedDelivery } from './webhook-delivery.js'

interface Health {
  readonly failures: number
  readonly failingSince: Date | null
  readonly pausedUntil: Date | null
  readonly lastError: string | null
}

const accepted: Health = { failures: 0, failingSince: null, pausedUntil: null, lastError: null }

/** The health of webhooks: failures, pauses, and switching off. */
export const webhookHealthRepository = (db: Db) => {
  /** Stores the health. The version changes only with fields that are shown, so that the count of failures does not invalidate entity tags. */
  const change = async (tx: Tx, { id, customerId }: SendingWebhook, { failures, pausedUntil, failingSince, lastError }: Health) => {
    await tx.webhook.updateMany({ where: { id, customerId }, data: { failures, pausedUntil } })
    await tx.$executeRaw`
      UPDATE webhooks SET failing_since = ${failingSince}::timestamptz, last_error = ${lastError}::text
      WHERE id = ${id} AND customer_id = ${customerId}
        AND (failing_since, last_error) IS DISTINCT FROM (${failingSince}::timestamptz, ${lastError}::text)`
  }

  /**
   * Locks the webhook, so that results are never written in the middle of a change by a person.
   * @returns the time by the clock of the database; undefined where its version is no longer the same
   */
  const lockUnchanged = async (tx: Tx, { id, customerId, version }: SendingWebhook) => {
    const [row] = await tx.$queryRaw<{ version: number; now: Date }[]>`
      SELECT version, now() FROM webhooks WHERE id = ${id} AND customer_id = ${customerId} FOR NO KEY UPDATE`
    return row?.version === version ? row.now : undefined
  }

  const fail = async (tx: Tx, webhook: SendingWebhook, lastError: string, now: Date) => {
    const failures = webhook.failures + 1
    const failingSince = failingSinceOf(now, webhook)
    const pausedUntil = new Date(Number(now) + webhookPauseAfter(failures))
    await change(tx, webhook, { failures, failingSince, pausedUntil, lastError })
    if (Number(now) - Number(failingSince) > failingForMs) await switchOff(tx, webhook, lastError)
  }

  return {
    /**
     * Updates the health of a webhook by the results of one round: resets its failures, pauses it, or switches it off.
     * @param webhook as it was when the round began
     * @returns false, and changes nothing, when somebody has changed the webhook since: the results say nothing about its new settings
     */
    async follow(webhook: SendingWebhook, tried: readonly TriedDelivery[]): Promise<boolean> {
      if (webhook.failures === 0 && tried.every(({ error }) => error === null)) return true
      const sent = tried.filter(({ payload }) => payload !== null)
      const isAccepted = sent.some(({ error }) => error === null)
      const lastError = sent.at(-1)?.error
      return db.write(office(webhook.customerId), async (tx) => {
        const now = await lockUnchanged(tx, webhook)
        if (!now) return false
        if (isAccepted && webhook.failures > 0) await change(tx, webhook, accepted)
        if (!isAccepted && lastError) await fail(tx, webhook, lastError, now)
        return true
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
