import { publishAudit } from '@caseway/kit/audit'
import type { Employee, Id } from '@caseway/kit/caller'
import { office, platform, resourceReads, type SealedColumn } from '@caseway/kit/database'
import type { Sealer } from '@caseway/kit/secrets'
import type { Db, Tx } from '../database.js'
import { webhookLimit } from '../errors.js'
import type { SendingWebhook, WebhookState } from './webhook.js'
import { type NewWebhook, type WebhookChanges, webhookResource } from './webhook.resource.js'
import { overlapMs } from './webhook-secret.js'

const maxWebhooks = 20

const identityOf = (id: Id | string) => `webhook ${id}`

/** The health to which a webhook is reset when it gets another address, or is switched on again. */
const healthy = { failures: 0, failingSince: null, pausedUntil: null, lastError: null, disabledAt: null }

/**
 * Runs in the transaction in which a webhook was changed.
 * @param isAnew whether it got another address, or was switched on again
 */
export type Changed = (tx: Tx, customerId: Id, id: Id, isAnew: boolean) => Promise<void>

export const webhookRepository = (db: Db, sealer: Sealer, onChange: Changed) => {
  const reads = resourceReads(db, webhookResource)
  const seal = (secret: string, id: Id) => sealer.seal(Buffer.from(secret), identityOf(id))
  const open = (sealed: Uint8Array, id: Id) => sealer.open(sealed, identityOf(id)).toString()
  const audit = (tx: Tx, kind: string, id: Id, details = {}) =>
    publishAudit(tx, { kind: `webhook.${kind}`, subject: { kind: 'webhook', id }, details })

  /** Serializes the creation of webhooks of an office. @throws AppError WEBHOOK_LIMIT */
  const mustHaveRoom = async (tx: Tx, customerId: Id) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('webhooks', ${customerId}))`
    if ((await tx.webhook.count({ where: { customerId } })) >= maxWebhooks) throw webhookLimit(maxWebhooks)
  }

  return {
    ...reads,

    /** @throws AppError WEBHOOK_LIMIT */
    create: ({ customerId, userId }: Employee, webhook: NewWebhook, secret: string): Promise<Id> =>
      db.write(office(customerId), async (tx) => {
        await mustHaveRoom(tx, customerId)
        // The id is needed first, because the secret is encrypted for it.
        const [next] = await tx.$queryRaw<{ id: Id }[]>`SELECT nextval(pg_get_serial_sequence('webhooks', 'id')) AS id`
        const { id } = next as { id: Id }
        await tx.webhook.create({ data: { ...webhook, id, customerId, userId, secret: seal(secret, id) } })
        await audit(tx, 'created', id)
        return id
      }),

    change: (caller: Employee, id: Id, changes: WebhookChanges, expected?: number): Promise<void> =>
      db.write(caller, async (tx) => {
        const { customerId } = caller
        const before = await reads.lock(tx, caller, id, expected)
        const isAnew = (changes.url ?? before.url) !== before.url || (changes.active === true && !before.active)
        const where = { id, customerId }
        await tx.webhook.update({ where, data: changes })
        // A separate statement, because an update that changes `failures` does not increment the version.
        if (isAnew) await tx.webhook.update({ where, data: healthy })
        await audit(tx, 'changed', id, { fields: Object.keys(changes).join(' ') })
        await onChange(tx, customerId, id, isAnew)
      }),

    /** Deletes a webhook with its deliveries. */
    remove: (caller: Employee, id: Id, expected?: number): Promise<void> =>
      db.write(caller, async (tx) => {
        await reads.lock(tx, caller, id, expected)
        await tx.webhook.delete({ where: { id, customerId: caller.customerId } })
        await audit(tx, 'deleted', id)
      }),

    /** Replaces the secret. The previous one signs as well for `overlapMs`, and the one before that no longer. */
    replaceSecret: (caller: Employee, id: Id, secret: string): Promise<void> =>
      db.write(caller, async (tx) => {
        await reads.lock(tx, caller, id)
        const where = { id, customerId: caller.customerId }
        const { secret: previousSecret } = await tx.webhook.findFirstOrThrow({ where })
        const previousSecretUntil = new Date(Date.now() + overlapMs)
        await tx.webhook.update({ where, data: { secret: seal(secret, id), previousSecret, previousSecretUntil } })
        await audit(tx, 'secret_replaced', id)
      }),

    sealed: ['secret', 'previous_secret'].map(
      (column): SealedColumn => ({ table: 'webhooks', key: { column: 'id', type: 'bigint' }, column, identityOf, sealer }),
    ),

    /** The numbers of webhooks by state, the most frequent first. */
    states: (): Promise<WebhookState[]> =>
      db.write(
        platform,
        (tx) => tx.$queryRaw<WebhookState[]>`
          SELECT last_error AS "lastError", count(*)::int AS webhooks, count(DISTINCT customer_id)::int AS offices
          FROM webhooks WHERE active GROUP BY 1 ORDER BY 2 DESC, 1`,
      ),

    /** A webhook with its secrets; null where the office has none with this id. */
    async toSend(customerId: Id, id: Id): Promise<SendingWebhook | null> {
      const found = await db.read(office(customerId)).webhook.findFirst({ where: { id, customerId } })
      if (!found) return null
      const { url, active, failures, failingSince, pausedUntil, version, secret, previousSecret, previousSecretUntil: until } = found
      const sealed = previousSecret && until && until > new Date() ? [secret, previousSecret] : [secret]
      return { id, customerId, url, active, failures, failingSince, pausedUntil, version, secrets: sealed.map((one) => open(one, id)) }
    },
  }
}

export type WebhookRepository = ReturnType<typeof webhookRepository>
