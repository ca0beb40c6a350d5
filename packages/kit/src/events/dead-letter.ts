import { CompiledQuery } from 'kysely'
import { v5 as derivedUuid, validate as isUuid } from 'uuid'
import { type Database, platform, storableText } from '../database/index.js'
import type { Logger } from '../observability/index.js'
import type { Consumer } from './consumer-options.js'
import { invalidReason } from './invalid-reason.js'
import type { EventRecord } from './transport.js'
import { tryOnce } from './try-once.js'
import { unlessAborted } from './waiting.js'

interface DeadLetter extends EventRecord {
  readonly letterId: bigint
  readonly consumer: string
}

/** A dead letter as an operator sees it. Its payload is left out, because it may be confidential. */
export interface DeadLetterNote {
  readonly consumer: string
  readonly eventId: string
  readonly topic: string
  readonly key: string
  /** When the event was written to the outbox. */
  readonly time: Date
  /** When the event became a dead letter, or last did so again. */
  readonly since: Date
  readonly error: string
}

const run = (db: Database<unknown>, sql: string, values: unknown[]) =>
  db.write(platform, () => db.query(platform, CompiledQuery.raw(sql, values)))

/** The namespace (RFC 9562, 6.6) of the ids of dead letters whose record has no UUID. */
const namespace = '9d9a2a52-6c0c-4d7e-8a36-2b8a3f1f6c1e'

/**
 * Keeps a record that a consumer could not handle, or replaces the error of the dead letter that is kept already. A record without a UUID gets an id that is
 * derived from its topic, key and id.
 */
export async function keepDeadLetter(db: Database<unknown>, consumer: Consumer, record: EventRecord, error: unknown): Promise<void> {
  const { topic, payload, time } = record
  const [key, description] = [storableText(record.key), storableText(String(error))]
  const id = isUuid(record.id) ? record.id : derivedUuid(`${topic} ${key} ${record.id}`, namespace)
  const headers = Object.fromEntries(Object.entries(record.headers).map((header) => header.map(storableText)))
  const statement = `
    INSERT INTO kit.dead_letter (consumer, event_id, topic, key, payload, headers, time, error)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
    ON CONFLICT (consumer, event_id) DO UPDATE SET error = excluded.error, created = now()`
  await run(db, statement, [consumer.name, id, topic, key, payload, headers, time, description])
}

/** The oldest dead letters, at most `limit`. */
export function listDeadLetters(db: Database<unknown>, limit: number): Promise<DeadLetterNote[]> {
  const statement = `
    SELECT consumer, event_id AS "eventId", topic, key, time, created AS since, error FROM kit.dead_letter
    ORDER BY kit.dead_letter.id LIMIT $1`
  return db.query(platform, CompiledQuery.raw(statement, [limit]) as CompiledQuery<DeadLetterNote>)
}

const page = 100
const replayTimeoutMs = 10_000

/**
 * Passes every dead letter to its consumer again, oldest first. Those that are handled are deleted; the others stay, with the new error.
 * @returns how many were handled and how many are left
 */
export async function replayDeadLetters(
  db: Database<unknown>,
  consumers: readonly Consumer[],
  log: Logger,
): Promise<{ handled: number; left: number }> {
  const counts = { handled: 0, left: 0 }
  let letters = await readDeadLetters(db, 0n)
  for (let last = letters.at(-1); last; last = letters.at(-1)) {
    for (const letter of letters) counts[(await replay(db, consumers, letter, log)) ? 'handled' : 'left']++
    letters = await readDeadLetters(db, last.letterId)
  }
  return counts
}

/**
 * Deletes the dead letters of an event, of every consumer of the service, for an event that can never be handled.
 * @returns how many dead letters were deleted
 */
export async function deleteDeadLetters(db: Database<unknown>, eventId: string): Promise<number> {
  const deleted = await run(db, 'DELETE FROM kit.dead_letter WHERE event_id = $1 RETURNING id', [eventId])
  return deleted.length
}

function readDeadLetters(db: Database<unknown>, after: bigint): Promise<DeadLetter[]> {
  const statement = `
    SELECT id AS "letterId", consumer, event_id AS id, topic, key, payload, headers, time FROM kit.dead_letter
    WHERE kit.dead_letter.id > $1 ORDER BY kit.dead_letter.id LIMIT ${page}`
  return db.query(platform, CompiledQuery.raw(statement, [after]) as CompiledQuery<DeadLetter>)
}

async function replay(db: Database<unknown>, consumers: readonly Consumer[], letter: DeadLetter, log: Logger): Promise<boolean> {
  const consumer = consumers.find(({ name }) => name === letter.consumer)
  try {
    if (!consumer) throw new Error(`There is no consumer ${letter.consumer}.`)
    const reason = invalidReason(letter)
    if (reason) throw new Error(reason)
    await unlessAborted(
      AbortSignal.timeout(replayTimeoutMs),
      tryOnce(() => consumer.handle(letter), [letter]),
    )
    await run(db, 'DELETE FROM kit.dead_letter WHERE id = $1', [letter.letterId])
    return true
  } catch (err) {
    log.warn({ err, consumer: letter.consumer, event: letter.id }, 'a dead letter was not handled')
    await run(db, 'UPDATE kit.dead_letter SET error = $2 WHERE id = $1', [letter.letterId, storableText(String(err))])
    return false
  }
}
