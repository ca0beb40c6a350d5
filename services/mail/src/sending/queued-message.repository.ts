import type { Id } from '@caseway/kit/caller'
import { office, type ParamOf, prepared, sql } from '@caseway/kit/database'
import { LeaseLost } from '@caseway/kit/jobs'
import type { PublishSent } from '../changed-messages/changed-messages.js'
import type { Db, Tx } from '../database.js'
import { protocols } from '../mail-connections/mailbox-access.js'
import { type State, states } from '../sent-messages/sent-message.js'
import { attempted, type Tried } from './attempt.js'
import { type ChangedState, changedState, changedStatesPublisher } from './changed-states.repository.js'
import {
  type ClaimedMessage,
  filedWithinMs,
  type OfMailbox,
  type UncertainMessage,
  uncertainText,
  unreachableFor,
} from './queued-message.js'
import { enqueueSending } from './sending.job.js'

type Claim = Pick<ClaimedMessage, 'id' | 'customerId' | 'fence'>

/** The columns of a message after an attempt. @param now by the clock of the database, by which messages become due */
function afterAttempt(now: Date, recipients: readonly Tried[], attempts: number) {
  const { pauseMs, ...rest } = attempted(recipients, attempts)
  return { ...rest, attempts, nextAttemptAt: pauseMs === null ? null : new Date(now.getTime() + pauseMs), unreachableSince: null }
}

interface LastHour {
  readonly count: number
  /** When the first of them was sent an hour ago; null where there is none. */
  readonly firstEndsAt: Date | null
}

const lastHour = prepared(
  (param: ParamOf<OfMailbox>) => sql<LastHour>`
    SELECT count(*)::int, min(sent_at) + interval '1 hour' AS "firstEndsAt" FROM mail_sent_messages
    WHERE customer_id = ${param(({ customerId }) => customerId)} AND mail_server_id = ${param(({ id }) => id)} AND sent_at > now() - interval '1 hour'`,
)

const toTry = { in: ['pending', 'deferred'] }

/** Messages that are being sent. A claim is fenced: it writes nothing after the message was claimed again. */
export const queuedMessageRepository = (db: Db, publishSent: PublishSent<Tx>) => {
  const own = ({ id, customerId, fence }: Claim) => ({ id, customerId, fence, status: states.processing })

  const publishChanged = changedStatesPublisher(publishSent)

  /** Writes columns under a claim. @throws LeaseLost when the fence has changed, which rolls the transaction back */
  const write = async (tx: Tx, claim: Claim, data: { readonly phase: null; readonly [column: string]: unknown }, where: object = {}) => {
    const written = await tx.mailSentMessage.updateManyAndReturn({ where: { ...own(claim), ...where }, data, select: changedState })
    if (written.length !== 1) throw new LeaseLost()
    await publishChanged(tx, claim.customerId, written)
  }

  /** Locks a message before its recipients, in the same order as delivery reports do. @returns the time of the transaction */
  const lock = async (tx: Tx, { id, customerId }: Claim): Promise<Date> => {
    const [locked] = await tx.$queryRaw<{ now: Date }[]>`
      SELECT now() FROM mail_sent_messages WHERE id = ${id} AND customer_id = ${customerId} FOR UPDATE`
    if (!locked) throw new LeaseLost()
    return locked.now
  }

  const claimed = async (tx: Tx, { customerId }: OfMailbox, rows: readonly Omit<ClaimedMessage, 'to'>[]): Promise<ClaimedMessage[]> => {
    const where = { customerId, sentMessageId: { in: rows.map(({ id }) => id) }, state: toTry }
    const recipients = await tx.mailSentRecipient.findMany({ where, orderBy: { position: 'asc' } })
    const of = Map.groupBy(recipients, ({ sentMessageId }) => sentMessageId)
    return rows.map((row) => ({ ...row, to: (of.get(row.id) ?? []).map(({ address }) => address) }))
  }

  return {
    /** Queues again what an earlier run has claimed but not sent. Its fence is outdated by that. */
    async recover(tx: Tx, { id: mailServerId, customerId }: OfMailbox): Promise<void> {
      const where = { customerId, mailServerId, status: states.processing, phase: 'claimed' }
      const data = { status: states.queued, phase: null, fence: { increment: 1 } }
      await publishChanged(tx, customerId, await tx.mailSentMessage.updateManyAndReturn({ where, data, select: changedState }))
    },

    /** Claims the next due messages of an open office, and skips those that are locked by a concurrent change. */
    async claim(tx: Tx, mailbox: OfMailbox, max: number): Promise<ClaimedMessage[]> {
      const { id, customerId } = mailbox
      const rows = await tx.$queryRaw<Omit<ClaimedMessage, 'to'>[]>`
        UPDATE mail_sent_messages SET status = ${states.processing}, phase = 'claimed', fence = fence + 1
        WHERE id IN (
          SELECT id FROM mail_sent_messages
          WHERE customer_id = ${customerId} AND mail_server_id = ${id} AND status = ${states.queued} AND blob_key IS NOT NULL
            AND coalesce(send_at, '-infinity') <= now() AND coalesce(next_attempt_at, '-infinity') <= now()
            AND NOT EXISTS (SELECT FROM customers WHERE id = ${customerId} AND closed)
          ORDER BY coalesce(next_attempt_at, send_at, created), id LIMIT ${max} FOR UPDATE SKIP LOCKED)
        RETURNING id, customer_id AS "customerId", user_id AS "userId", mail_server_id AS "mailServerId", fence, attempts, msg_unique_identifier AS "messageId",
          blob_key AS "blobKey", size AS "sizeBytes"`
      const inOrder = rows.toSorted((one, other) => Number(one.id - other.id))
      await publishSent(tx, customerId, inOrder)
      return claimed(tx, mailbox, inOrder)
    },

    /** Records that nothing was sent because of the connection; the message is retried like a deferred one. */
    postponed: (claim: ClaimedMessage, error: string): Promise<void> =>
      db.write(office(claim.customerId), async (tx) => {
        const now = await lock(tx, claim)
        await write(tx, claim, { ...afterAttempt(now, [{ state: 'deferred', error }], claim.attempts + 1), phase: null })
      }),

    /** Records that the message cannot be sent at all. */
    failed: (claim: ClaimedMessage, error: string): Promise<void> =>
      db.write(office(claim.customerId), (tx) => write(tx, claim, { status: states.failed, error, phase: null })),

    /** Releases claims without an attempt: the messages are queued as before. */
    released: (claims: readonly ClaimedMessage[], { customerId }: OfMailbox): Promise<void> =>
      db.write(office(customerId), async (tx) => {
        for (const claim of claims) {
          const where = { ...own(claim), phase: 'claimed' }
          const data = { status: states.queued, phase: null }
          await publishChanged(tx, customerId, await tx.mailSentMessage.updateManyAndReturn({ where, data, select: changedState }))
        }
      }),

    uncertain: (tx: Tx, { id, customerId }: OfMailbox): Promise<UncertainMessage[]> =>
      tx.$queryRaw<UncertainMessage[]>`
        SELECT id, fence, attempts, msg_unique_identifier AS "messageId", sent_at IS NOT NULL AS "wasSent",
          extract(epoch FROM now() - modified)::float8 * 1000 AS "ageMs"
        FROM mail_sent_messages
        WHERE customer_id = ${customerId} AND mail_server_id = ${id} AND status = ${states.processing} AND phase = 'dot' ORDER BY id`,

    /**
     * Settles an uncertain message.
     * @param error why it has failed; undefined where it was delivered to all recipients that the server had accepted. A bounce may have come since
     */
    async settled(tx: Tx, { customerId }: OfMailbox, { id, fence, attempts }: UncertainMessage, error?: string): Promise<void> {
      const ended = { phase: null, fence: { increment: 1 } } as const
      const claim = { id, customerId, fence }
      if (error !== undefined) return write(tx, claim, { ...ended, status: states.failed, error }, { phase: 'dot' })
      const now = await lock(tx, claim)
      const ofMessage = { customerId, sentMessageId: id }
      await tx.mailSentRecipient.updateMany({ where: { ...ofMessage, state: 'pending' }, data: { state: 'accepted', error: '' } })
      const recipients = await tx.mailSentRecipient.findMany({ where: ofMessage, orderBy: { position: 'asc' } })
      const after = afterAttempt(now, recipients as readonly Tried[], attempts + 1)
      await write(tx, claim, { ...ended, ...after, sentAt: now }, { phase: 'dot' })
    },

    /** Records on due messages why their server cannot be used; after a day they fail. Recipients keep their states, which the next attempt writes. */
    unreachable: ({ id, customerId }: OfMailbox, error: string): Promise<void> =>
      db.write(office(customerId), async (tx) => {
        const written = await tx.$queryRaw<ChangedState[]>`
          UPDATE mail_sent_messages SET error = ${error}, unreachable_since = coalesce(unreachable_since, now()),
            status = CASE WHEN unreachable_since <= now() - ${unreachableFor}::interval THEN ${states.failed}::int ELSE status END
          WHERE customer_id = ${customerId} AND mail_server_id = ${id} AND status = ${states.queued} AND blob_key IS NOT NULL
            AND coalesce(send_at, '-infinity') <= now() AND coalesce(next_attempt_at, '-infinity') <= now()
            AND (error IS DISTINCT FROM ${error} OR unreachable_since IS NULL OR unreachable_since <= now() - ${unreachableFor}::interval)
          RETURNING id, user_id AS "userId", version, status`
        await publishChanged(tx, customerId, written)
      }),

    /**
     * Fails messages that are not sent any more.
     * @param error why; a message whose end may have been sent is shown as uncertain instead
     * @param which the states of these messages
     */
    async abandoned(tx: Tx, { id: mailServerId, customerId }: OfMailbox, error: string, which: readonly State[]): Promise<void> {
      const ofMailbox = { customerId, mailServerId, status: { in: [...which] } }
      const fail = async (where: object, error: string) => {
        const data = { status: states.failed, phase: null, error, fence: { increment: 1 } }
        const written = await tx.mailSentMessage.updateManyAndReturn({ where: { ...ofMailbox, ...where }, data, select: changedState })
        await publishChanged(tx, customerId, written)
      }
      await fail({ phase: 'dot' }, uncertainText)
      await fail({}, error)
    },

    /** The messages that were sent within the last hour. */
    async lastHour({ id, customerId }: OfMailbox): Promise<LastHour> {
      const [found] = await db.batch(office(customerId), lastHour({ id, customerId }))
      return found ?? { count: 0, firstEndsAt: null }
    },

    /** When the mailbox has something to send or settle next; null when it has nothing, or only messages of a closed office. */
    nextDue: ({ id, customerId }: OfMailbox): Promise<Date | null> =>
      db.write(office(customerId), async (tx) => {
        const [found] = await tx.$queryRaw<{ at: Date | null }[]>`
          SELECT min(greatest(now(), CASE WHEN status = ${states.queued} THEN greatest(send_at, next_attempt_at)
            ELSE modified + ${filedWithinMs}::int * interval '1 millisecond' END)) AS at
          FROM mail_sent_messages
          WHERE customer_id = ${customerId} AND mail_server_id = ${id} AND (
            (status = ${states.queued} AND blob_key IS NOT NULL AND NOT EXISTS (SELECT FROM customers WHERE id = ${customerId} AND closed))
            OR (status = ${states.processing} AND phase = 'dot'))`
        return found?.at ?? null
      }),

    /** The IMAP server that keeps the mailbox's copies: one with the same owner and address, preferably an active one. */
    async partnerOf({ customerId, userId, userEmail }: { customerId: Id; userId: Id; userEmail: string }): Promise<Partner | null> {
      const where = { customerId, userId, userEmail: { equals: userEmail, mode: 'insensitive' }, serverProtocol: protocols.imap } as const
      const servers = await db
        .read(office(customerId))
        .mailServer.findMany({ where, select: { id: true, state: true }, orderBy: { id: 'asc' } })
      const partners = servers.map(({ id, state }) => ({ id, isActive: state === 'active' }))
      return partners.find(({ isActive }) => isActive) ?? partners[0] ?? null
    },
  }
}

interface Partner {
  readonly id: Id
  /** Whether it may be connected to. */
  readonly isActive: boolean
}

export type QueuedMessages = ReturnType<typeof queuedMessageRepository>

/** Sends deferred and due messages now. */
export async function sendNow(tx: Tx, customerId: Id, mailServerId: Id): Promise<void> {
  const where = { customerId, mailServerId, status: states.queued, nextAttemptAt: { not: null } }
  await tx.mailSentMessage.updateMany({ where, data: { nextAttemptAt: null } })
  await enqueueSending(tx, customerId, mailServerId)
}

/** Called when the mailbox was corrected: messages that wait for its server are tried now, and again for a day. */
export async function sendAnew(tx: Tx, customerId: Id, mailServerId: Id): Promise<void> {
  const where = { customerId, mailServerId, status: states.queued, unreachableSince: { not: null } }
  await tx.mailSentMessage.updateMany({ where, data: { unreachableSince: null } })
  await sendNow(tx, customerId, mailServerId)
}
