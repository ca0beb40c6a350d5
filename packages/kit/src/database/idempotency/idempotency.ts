import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { callerKey } from '../../caller/index.js'
import { AppError, conflict } from '../../errors/index.js'
import type { Answer, IdempotencyStore, KeyedRequest } from '../../idempotency/index.js'
import type { Database } from '../types.js'
import { type Held, idempotencyRows, insertRow, isHeld, type RowId, takeKey } from './idempotency-rows.js'

export interface IdempotencyOptions {
  /** How long a repetition waits for the answer of the first request with its key, in milliseconds. Default 2,000. */
  waitMs?: number
  /** After how long the outcome of a claimed request without an answer counts as unknown, in milliseconds: longer than a request may take. Default 60,000. */
  leaseMs?: number
}

const firstPauseMs = 20
const maxPauseMs = 200

const inUse = () => conflict('IDEMPOTENCY_KEY_IN_USE', 'A request with this Idempotency-Key is still being worked on.', 1)
const reused = () => conflict('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used with another request.')
const abandoned = () =>
  conflict(
    'IDEMPOTENCY_KEY_ABANDONED',
    'The first request with this Idempotency-Key ended without an answer. Its change may or may not have been made: check before you send another key.',
  )

/** Thrown to roll back the writes of a request, with the answer to send. */
class Refused extends Error {
  constructor(readonly answer: Answer) {
    super(`answered with ${answer.status}`)
  }
}

/** Thrown while the first request with the key has no answer: the repetition waits and tries again. */
class InFlight extends Error {}

const answerOf = (error: unknown): Answer => {
  if (error instanceof Refused) return error.answer
  throw error
}

/**
 * Stores the answers of requests with an `Idempotency-Key`, by the mode of the request:
 *
 * `transaction`: the key, the writes of `produce` and the answer are one transaction, so that a crash leaves none of them. It begins with the first write of
 * `produce`: the key is locked in the same message, and the answer is sent with COMMIT. A duplicate may therefore run `produce` up to its first write. With a
 * status from 400 on the writes are rolled back and the answer is stored; from 500 on nothing is stored.
 *
 * `claimed`: the key is committed first, then `produce` runs without a transaction, and its answer is stored afterwards. A status from 500 on, or an
 * error, frees the key. After a crash in between the claim remains: when its lease has expired, repetitions get a conflict that says that the outcome is
 * unknown.
 *
 * A repetition polls while the key is in use, and holds no connection in between.
 */
export function idempotencyStore(db: Database<unknown>, { waitMs = 2_000, leaseMs = 60_000 }: IdempotencyOptions = {}): IdempotencyStore {
  const rows = idempotencyRows(db)

  const inTransaction = async (id: RowId, { caller, digest }: KeyedRequest, produce: () => Promise<Answer>) => {
    try {
      return await db.deferred(caller, {
        first: takeKey(id),
        isRefusal: isHeld,
        work: async () => refuse(await produce(), 500),
        keeps: ({ status }) => status < 400,
        last: (answer) => insertRow(id, digest, answer),
      })
    } catch (error) {
      return isHeld(error) ? replay(await rows.held(id), digest) : answerOf(error)
    }
  }

  const claimed = async (id: RowId, { caller, digest }: KeyedRequest, produce: () => Promise<Answer>) => {
    const claim = randomUUID()
    try {
      await db.write(caller, () => db.batch(caller, takeKey(id), insertRow(id, digest, { claim, leaseMs })))
    } catch (error) {
      if (isHeld(error)) return replay(await rows.held(id), digest)
      throw error
    }
    try {
      const answer = refuse(await produce(), 500)
      // The change was made: it does not fail when its answer cannot be stored.
      await db.write(caller, () => rows.keep(id, answer, claim)).catch(() => undefined)
      return answer
    } catch (error) {
      const isUncertain = error instanceof AppError && error.kind === 'uncertain'
      await db.write(caller, () => (isUncertain ? rows.abandon(id, claim) : rows.free(id, claim))).catch(() => undefined)
      return answerOf(error)
    }
  }

  return {
    async once(request, produce) {
      const id = { caller: callerKey(request.caller), route: request.route, key: request.key }
      const attempt = () => (request.mode === 'claimed' ? claimed : inTransaction)(id, request, produce)
      const end = Date.now() + waitMs
      for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
        try {
          return await attempt()
        } catch (error) {
          if (!(error instanceof InFlight)) throw error
          if (Date.now() >= end) throw inUse()
        }
        await pause(pauseMs)
      }
    },
  }
}

function refuse(answer: Answer, from: number): Answer {
  if (answer.status >= from) throw new Refused(answer)
  return answer
}

function replay(first: Held | undefined, digest: string): Answer {
  if (!first) throw new InFlight()
  if (first.digest !== digest) throw reused()
  if (first.answer) return first.answer
  throw first.lapsed ? abandoned() : new InFlight()
}
