import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { callerKey } from '../../caller/index.js'
import { AppError, conflict } from '../../errors/index.js'
import type { Answer, IdempotencyStore, KeyedRequest } from '../../idempotency/index.js'
import type { Database } from '../types.js'
import { type Held, idempotencyRows, insertRow, isHeld, type RowId, takeKey } from './idempotency-rows.js'

export interface IdempotencyOptions {
  /** How long a request waits for the first one with its key, in milliseconds. Default 2,000. */
  waitMs?: number
  /** After which a claimed request that left no answer counts as ended, in milliseconds: longer than a request may last. Default 60,000. */
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

/** Carries an answer out of work whose writes have to be undone. */
class Refused extends Error {
  constructor(readonly answer: Answer) {
    super(`answered with ${answer.status}`)
  }
}

/** The first request with the key has no answer yet. */
class InFlight extends Error {}

const answerOf = (error: unknown): Answer => {
  if (error instanceof Refused) return error.answer
  throw error
}

/**
 * Keeps the answers of keyed requests.
 *
 * `transaction`: the key, what `produce` writes, and the answer are one transaction, so that a crash leaves none of them. It begins with the
 * first write of `produce`, which a duplicate may therefore run up to there: the key is taken in the message of that write, and the answer
 * travels with COMMIT. Of an answer from 400 on only the answer stays, from 500 on nothing.
 *
 * `claimed`: the key is committed first, `produce` runs without a transaction, and its answer is kept afterwards; one from 500 on, or an
 * error, frees the key. A crash in between leaves a claim: when its lease has ended, repetitions are answered that the outcome is unknown.
 *
 * A request whose key is in use asks again and again, with a connection for each question only.
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
      // The change is made: that its answer could not be kept is no reason to call it a failure.
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
