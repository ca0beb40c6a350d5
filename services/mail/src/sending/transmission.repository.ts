import type { Id } from '@caseway/kit/caller'
import { groupCommit, office, type ParamOf, prepared, sql } from '@caseway/kit/database'
import { LeaseLost } from '@caseway/kit/jobs'
import type { PublishSent } from '../changed-messages/changed-messages.js'
import type { Db, Tx } from '../database.js'
import type { RecipientAnswer } from '../mail-connections/smtp-session.js'
import { states } from '../sent-messages/sent-message.js'
import { type Attempted, attempted, type Tried } from './attempt.js'
import { type ChangedState, publishFailed } from './changed-states.repository.js'
import type { ClaimedMessage, OfMailbox } from './queued-message.js'

/** The answers of a server for the recipients of a message. */
interface Answered {
  readonly claim: ClaimedMessage
  readonly answers: readonly RecipientAnswer[]
}

/** A message whose end is about to be sent. */
interface Passing {
  readonly claim: ClaimedMessage
  /** The recipients that the server has refused; all others may have the message from now on. */
  readonly notTaken: readonly RecipientAnswer[]
}

/** The ids are repeated in the conditions: without statistics the planner would otherwise read all messages of the office. */
const idsOf = (claims: readonly ClaimedMessage[]) => claims.map(({ id }) => id)
const fencesOf = (claims: readonly ClaimedMessage[]) => claims.map(({ fence }) => fence)

/** The state of each recipient in case the answer to the end is lost. */
const standing = ({ claim: { id, to }, notTaken }: Passing) => {
  const answers = new Map(notTaken.map((answer) => [answer.address, answer]))
  return to.map((address) => ({ id, address, state: answers.get(address)?.state ?? 'pending', error: answers.get(address)?.reply ?? '' }))
}

interface Passes {
  readonly customerId: Id
  readonly claims: readonly ClaimedMessage[]
  readonly recipients: readonly ReturnType<typeof standing>[number][]
}

const pass = prepared(
  (param: ParamOf<Passes>) => sql<{ id: Id }>`
    WITH passed AS (UPDATE mail_sent_messages AS message SET phase = 'dot'
    FROM unnest(${param(({ claims }) => idsOf(claims))}::bigint[], ${param(({ claims }) => fencesOf(claims))}::bigint[]) AS claim (id, fence)
    WHERE message.id = ANY (${param(({ claims }) => idsOf(claims))}::bigint[]) AND message.id = claim.id AND message.fence = claim.fence
      AND customer_id = ${param(({ customerId }) => customerId)} AND status = ${states.processing} AND phase = 'claimed' RETURNING message.id),
    answered AS (
      UPDATE mail_sent_recipients AS recipient SET state = answer.state, error = answer.error
      FROM unnest(
        ${param(({ recipients }) => recipients.map(({ id }) => id))}::bigint[], ${param(({ recipients }) => recipients.map(({ address }) => address))}::text[],
        ${param(({ recipients }) => recipients.map(({ state }) => state))}::text[], ${param(({ recipients }) => recipients.map(({ error }) => error))}::text[]
      ) AS answer (id, address, state, error) JOIN passed USING (id)
      WHERE recipient.sent_message_id = ANY (${param(({ claims }) => idsOf(claims))}::bigint[]) AND recipient.sent_message_id = answer.id
        AND recipient.customer_id = ${param(({ customerId }) => customerId)} AND recipient.address = answer.address
        AND recipient.state IN ('pending', 'deferred') AND (recipient.state, recipient.error) <> (answer.state, answer.error))
    SELECT id FROM passed`,
)

interface Accepts {
  readonly customerId: Id
  readonly claims: readonly ClaimedMessage[]
}

/** Locks messages before their recipients are read: a delivery report may be written at the same time. */
const lock = prepared(
  (param: ParamOf<Accepts>) => sql`
    SELECT FROM mail_sent_messages
    WHERE id = ANY (${param(({ claims }) => idsOf(claims))}::bigint[]) AND customer_id = ${param(({ customerId }) => customerId)} ORDER BY id FOR UPDATE`,
)

/** Ends messages that were accepted for all of their recipients, unless a delivery report, or an earlier attempt, has given one of them another state. */
const accept = prepared(
  (param: ParamOf<Accepts>) => sql<{ id: Id }>`
    WITH accepted AS (UPDATE mail_sent_messages AS message SET status = ${states.done}, error = NULL, next_attempt_at = NULL, attempts = attempts + 1,
      unreachable_since = NULL, phase = NULL, copy_due = copy_due OR sent_at IS NULL, sent_at = coalesce(sent_at, now())
    FROM unnest(${param(({ claims }) => idsOf(claims))}::bigint[], ${param(({ claims }) => fencesOf(claims))}::bigint[]) AS claim (id, fence)
    WHERE message.id = ANY (${param(({ claims }) => idsOf(claims))}::bigint[]) AND message.id = claim.id AND message.fence = claim.fence
      AND customer_id = ${param(({ customerId }) => customerId)} AND status = ${states.processing} AND NOT EXISTS (
        SELECT FROM mail_sent_recipients AS recipient
        WHERE recipient.sent_message_id = message.id AND recipient.customer_id = message.customer_id AND recipient.state NOT IN ('pending', 'deferred'))
    RETURNING message.id),
    recipients AS (
      UPDATE mail_sent_recipients AS recipient SET state = 'accepted', error = '' FROM accepted
      WHERE recipient.sent_message_id = ANY (${param(({ claims }) => idsOf(claims))}::bigint[]) AND recipient.sent_message_id = accepted.id
        AND recipient.customer_id = ${param(({ customerId }) => customerId)})
    SELECT id FROM accepted`,
)

/** Writes the states of the messages that the sessions of a mailbox transmit. */
export interface Transmission {
  /**
   * The point of no return: a message found after it is not sent again, except to the recipients that the server has refused.
   * @throws LeaseLost when the message was claimed again
   */
  dot(claim: ClaimedMessage, notTaken: readonly RecipientAnswer[]): Promise<void>
  /** Writes the answers of the server. @throws LeaseLost when the message was claimed again; then nothing is written */
  answered(claim: ClaimedMessage, answers: readonly RecipientAnswer[]): Promise<void>
}

const mustHold = (is: boolean) => {
  if (!is) throw new LeaseLost()
}

interface After extends Attempted {
  readonly id: Id
  readonly userId: Id
  /** Whether this attempt is the first that a recipient has accepted. */
  readonly isSent: boolean
}

const write = (tx: Tx, customerId: Id, after: readonly After[]) =>
  tx.$queryRaw`
    UPDATE mail_sent_messages AS message SET status = after.status, error = after.error, next_attempt_at = now() + pause_ms * interval '1 millisecond',
      attempts = attempts + 1, unreachable_since = NULL, phase = NULL, copy_due = copy_due OR is_sent, sent_at = CASE WHEN is_sent THEN now() ELSE sent_at END
    FROM unnest(
      ${after.map(({ id }) => id)}::bigint[], ${after.map(({ status }) => status)}::int[], ${after.map(({ error }) => error)}::text[],
      ${after.map(({ pauseMs }) => pauseMs)}::float8[], ${after.map(({ isSent }) => isSent)}::boolean[]
    ) AS after (id, status, error, pause_ms, is_sent)
    WHERE message.id = ANY (${after.map(({ id }) => id)}::bigint[]) AND message.id = after.id AND customer_id = ${customerId}
    RETURNING message.id, user_id AS "userId", version, message.status` as Promise<ChangedState[]>

export const transmissionRepository = (
  db: Db,
  enqueueCopy: (tx: Tx, mailbox: OfMailbox) => Promise<void>,
  publishSent: PublishSent<Tx>,
) => {
  /** Locks the messages that are still claimed, writes the answers, and reads the states of all of their recipients. */
  const recipientsAfter = async (tx: Tx, customerId: Id, answered: readonly Answered[]) => {
    const claims = answered.map(({ claim }) => claim)
    const all = answered.flatMap(({ claim: { id, fence }, answers }) => answers.map((answer) => ({ id, fence, ...answer })))
    const [held, , recipients] = await Promise.all([
      tx.$queryRaw`
        SELECT message.id, user_id AS "userId", sent_at IS NULL AS "isFirst" FROM mail_sent_messages AS message
        JOIN unnest(${idsOf(claims)}::bigint[], ${fencesOf(claims)}::bigint[]) AS claim (id, fence) USING (id, fence)
        WHERE message.id = ANY (${idsOf(claims)}::bigint[]) AND customer_id = ${customerId} AND status = ${states.processing}
        ORDER BY id FOR UPDATE OF message` as Promise<{ id: Id; userId: Id; isFirst: boolean }[]>,
      tx.$executeRaw`
        UPDATE mail_sent_recipients AS recipient SET state = answer.state, error = answer.error
        FROM unnest(
          ${all.map(({ id }) => id)}::bigint[], ${all.map(({ fence }) => fence)}::bigint[], ${all.map(({ address }) => address)}::text[],
          ${all.map(({ state }) => state)}::text[], ${all.map(({ state, reply }) => (state === 'accepted' ? '' : reply))}::text[]
        ) AS answer (id, fence, address, state, error)
        JOIN mail_sent_messages AS message USING (id, fence)
        WHERE recipient.sent_message_id = answer.id AND recipient.address = answer.address AND recipient.state IN ('pending', 'deferred')
          AND message.id = ANY (${idsOf(claims)}::bigint[]) AND recipient.customer_id = ${customerId} AND message.customer_id = ${customerId} AND status = ${states.processing}`,
      tx.$queryRaw`
        SELECT sent_message_id AS id, state, error FROM mail_sent_recipients
        WHERE customer_id = ${customerId} AND sent_message_id = ANY (${idsOf(claims)}::bigint[]) ORDER BY position` as Promise<
        ({ id: Id } & Tried)[]
      >,
    ])
    return { held: new Map(held.map((one) => [one.id, one])), recipients: Map.groupBy(recipients, ({ id }) => id) }
  }

  /** @returns the ids of the messages that were still claimed */
  const passAll = async (customerId: Id, passing: readonly Passing[]): Promise<Id[]> => {
    if (passing.length === 0) return []
    const claims = passing.map(({ claim }) => claim)
    const passed = await db.batch(office(customerId), pass({ customerId, claims, recipients: passing.flatMap(standing) }))
    return passed.map(({ id }) => id)
  }

  /** Writes the answers that accept a message for all of its recipients in one round trip. @returns the ids of the messages for which that is all */
  const acceptAll = async (tx: Tx, customerId: Id, answered: readonly Answered[]): Promise<Id[]> => {
    const accepted = answered.filter(({ answers }) => answers.length > 0 && answers.every(({ state }) => state === 'accepted'))
    if (accepted.length === 0) return []
    const claims = accepted.map(({ claim }) => claim)
    const [, ended] = await Promise.all([
      db.batch(office(customerId), lock({ customerId, claims })),
      db.batch(office(customerId), accept({ customerId, claims })),
      publishSent(tx, customerId, claims),
    ])
    return ended.map(({ id }) => id)
  }

  /** @returns the ids of the messages that were still claimed */
  const settleAll = async (tx: Tx, customerId: Id, answered: readonly Answered[]): Promise<Id[]> => {
    if (answered.length === 0) return []
    const { held, recipients } = await recipientsAfter(tx, customerId, answered)
    const after = answered.flatMap(({ claim: { id, attempts }, answers }) => {
      const before = held.get(id)
      if (!before) return []
      const outcome = attempted(recipients.get(id) ?? [], attempts + 1)
      const isSent = before.isFirst && answers.some(({ state }) => state === 'accepted')
      return [{ id, userId: before.userId, ...outcome, isSent }]
    })
    const [written] = await Promise.all([write(tx, customerId, after), publishSent(tx, customerId, after)])
    await publishFailed(tx, customerId, written)
    return [...held.keys()]
  }

  /** @returns the ids of the messages that were still claimed */
  const answerAll = async (tx: Tx, mailbox: OfMailbox, answered: readonly Answered[]): Promise<Id[]> => {
    const isSent = answered.some(({ answers }) => answers.some(({ state }) => state === 'accepted'))
    const [accepted] = await Promise.all([acceptAll(tx, mailbox.customerId, answered), isSent && enqueueCopy(tx, mailbox)])
    const others = answered.filter(({ claim }) => !accepted.includes(claim.id))
    return [...accepted, ...(await settleAll(tx, mailbox.customerId, others))]
  }

  return {
    /**
     * The transmission of a mailbox. Concurrent writes of its sessions are committed together (group commit), in the order in which they were asked for.
     * After a message was claimed again, no other one passes the point of no return: another process sends the messages of the mailbox.
     */
    of(mailbox: OfMailbox): Transmission {
      const { customerId } = mailbox
      let isLost = false
      const passUnlessLost = async (passing: readonly Passing[]) => (isLost ? [] : passAll(customerId, passing))
      const writeAll = async (tx: Tx, passing: readonly Passing[], answered: readonly Answered[]): Promise<Id[]> => {
        const held = await answerAll(tx, mailbox, answered)
        isLost ||= held.length < answered.length
        return [...held, ...(await passUnlessLost(passing))]
      }
      const commit = groupCommit(async (steps: readonly (Passing | Answered)[]) => {
        const passing = steps.filter((step) => 'notTaken' in step)
        const answered = steps.filter((step) => 'answers' in step)
        const together = () => db.write(office(customerId), (tx) => writeAll(tx, passing, answered))
        const held = new Set(answered.length > 0 ? await together() : await passUnlessLost(passing))
        return steps.map(({ claim }) => held.has(claim.id))
      })
      return {
        dot: async (claim, notTaken) => mustHold(await commit({ claim, notTaken })),
        answered: async (claim, answers) => mustHold(await commit({ claim, answers })),
      }
    },
  }
}

export type Transmissions = ReturnType<typeof transmissionRepository>
