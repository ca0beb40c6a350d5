import { CompiledQuery } from 'kysely'
import { type Database, platform } from '../database/index.js'
import type { Logger } from '../observability/index.js'
import type { Consumer } from './consumer.js'
import type { EventRecord } from './transport.js'
import { tryOnce } from './try-once.js'

interface DeadLetter extends EventRecord {
  readonly letterId: bigint
  readonly consumer: string
}

/** What people need to know of a dead letter; its content may be anybody's secret. */
export interface DeadLetterNote {
  readonly consumer: string
  readonly eventId: string
  readonly topic: string
  readonly key: string
  /** When it happened. */
  readonly time: Date
  /** When it was given up. */
  readonly since: Date
  readonly error: string
}

const run = (db: Database<unknown>, sql: string, values: unknown[]) =>
  db.write(platform, () => db.query(platform, CompiledQuery.raw(sql, values)))

/** Puts an event aside that a consumer could not take. */
export async function keepDeadLetter(db: Database<unknown>, consumer: Consumer, record: EventRecord, error: unknown): Promise<void> {
  const { id, topic, key, payload, headers, time } = record
  const statement = `
    INSERT INTO kit.dead_letter (consumer, event_id, topic, key, payload, headers, time, error)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
    ON CONFLICT (consumer, event_id) DO UPDATE SET error = excluded.error, created = now()`
  await run(db, statement, [consumer.name, id, topic, key, payload, headers, time, String(error)])
}

/** The oldest dead letters, at most `limit`. */
export function listDeadLetters(db: Database<unknown>, limit: number): Promise<DeadLetterNote[]> {
  const statement = `
    SELECT consumer, event_id AS "eventId", topic, key, time, created AS since, error FROM kit.dead_letter
    ORDER BY kit.dead_letter.id LIMIT $1`
  return db.query(platform, CompiledQuery.raw(statement, [limit]) as CompiledQuery<DeadLetterNote>)
}

const page = 100

/**
 * Brings every dead letter to its consumer once more, oldest first: those that are taken go, the others stay with their new error.
 * @returns how many were taken and how many stayed
 */
export async function replayDeadLetters(
  db: Database<unknown>,
  consumers: readonly Consumer[],
  log: Logger,
): Promise<{ taken: number; left: number }> {
  const counts = { taken: 0, left: 0 }
  let letters = await readDeadLetters(db, 0n)
  for (let last = letters.at(-1); last; last = letters.at(-1)) {
    for (const letter of letters) counts[(await replay(db, consumers, letter, log)) ? 'taken' : 'left']++
    letters = await readDeadLetters(db, last.letterId)
  }
  return counts
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
    await tryOnce(consumer, letter)
    await run(db, 'DELETE FROM kit.dead_letter WHERE id = $1', [letter.letterId])
    return true
  } catch (err) {
    log.warn({ err, consumer: letter.consumer, event: letter.id }, 'a dead letter was not taken')
    await run(db, 'UPDATE kit.dead_letter SET error = $2 WHERE id = $1', [letter.letterId, String(err)])
    return false
  }
}
