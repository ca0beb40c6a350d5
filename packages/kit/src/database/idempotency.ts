import { CompiledQuery } from 'kysely'
import { conflict } from '../errors/index.js'
import type { Answer, IdempotencyStore } from '../http/index.js'
import { isLockTimeout } from './errors.js'
import { platform } from './scope.js'
import type { Database } from './types.js'

interface Held extends Answer {
  bodyHash: string
}

const inUse = () => conflict('IDEMPOTENCY_KEY_IN_USE', 'A request with this Idempotency-Key is still being worked on.', 1)
const reused = () => conflict('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used with another request.')

/** Carries an answer out of a transaction that has to be rolled back. */
class Refused extends Error {
  constructor(readonly answer: Answer) {
    super(`answered with ${answer.status}`)
  }
}

const answerOf = (error: unknown): Answer => {
  if (error instanceof Refused) return error.answer
  throw error
}

/**
 * Keeps answers in the transaction that makes them: a crash leaves neither the effect nor the key. Everything that `produce`
 * writes and reads joins that transaction; of an answer from 400 on only the answer stays, from 500 on nothing.
 */
export function idempotencyStore(db: Database<unknown>): IdempotencyStore {
  return {
    once(caller, route, key, bodyHash, produce) {
      const id = [`${caller.audience}:${caller.userId}`, route, key]
      const first = async () => {
        const answer = await db.write(caller, async () => refuse(await produce(), 400)).catch(answerOf)
        refuse(answer, 500)
        await keep(db, id, answer)
        return answer
      }
      const unitOfWork = async () => ((await claim(db, id, bodyHash)) ? first() : replay(await held(db, id), bodyHash))
      return db.write(caller, unitOfWork).catch(answerOf)
    },
  }
}

function refuse(answer: Answer, from: number): Answer {
  if (answer.status >= from) throw new Refused(answer)
  return answer
}

function replay(first: Held | undefined, bodyHash: string): Answer {
  if (!first) throw inUse()
  const { bodyHash: firstHash, ...answer } = first
  if (firstHash !== bodyHash) throw reused()
  return answer
}

/** Takes the key for this transaction. Waits for one that has it, up to the lock timeout; false when it left an answer. */
async function claim(db: Database<unknown>, id: string[], bodyHash: string): Promise<boolean> {
  const statement = `
    INSERT INTO kit.idempotency_key AS held (caller, route, key, body_hash) VALUES ($1, $2, $3, $4)
    ON CONFLICT (caller, route, key) DO UPDATE SET body_hash = excluded.body_hash, created = now()
    WHERE held.created < now() - interval '24 hours'
    RETURNING true`
  try {
    return (await db.query(platform, CompiledQuery.raw(statement, [...id, bodyHash]))).length === 1
  } catch (error) {
    throw isLockTimeout(error) ? inUse() : error
  }
}

async function held(db: Database<unknown>, id: string[]): Promise<Held | undefined> {
  const statement = `
    SELECT body_hash AS "bodyHash", status, headers, body FROM kit.idempotency_key
    WHERE caller = $1 AND route = $2 AND key = $3`
  const [row] = await db.query(platform, CompiledQuery.raw(statement, id) as CompiledQuery<Held>)
  return row
}

async function keep(db: Database<unknown>, id: string[], { status, headers, body }: Answer): Promise<void> {
  const statement = `
    UPDATE kit.idempotency_key SET status = $4, headers = $5, body = $6
    WHERE caller = $1 AND route = $2 AND key = $3`
  await db.query(platform, CompiledQuery.raw(statement, [...id, status, headers, body]))
}
