import type { Caller } from '../caller/index.js'

/** An answer as it goes out, so that a replay is the same byte for byte. */
export interface Answer {
  status: number
  headers: Record<string, string>
  body: string
}

/**
 * How a POST route treats an `Idempotency-Key`.
 * - `transaction` (the default): key, effect and answer are one transaction, which begins with the first write of the handler. For handlers
 *   whose effects are in the database; what they do before they write, such as hashing a password, holds no connection.
 * - `claimed`: the key is committed, then the handler runs without a transaction or a connection, then its answer is kept. For handlers that
 *   have effects outside of the database.
 * - `streamed`: as `transaction`, for a handler that reads the body itself: it calls `Space.answerOnce` when it knows what is in it.
 * - `none`: the key is ignored, and nothing is kept. For answers with a secret that a repetition replaces, and for requests that only test something.
 */
export type Idempotency = 'transaction' | 'claimed' | 'streamed' | 'none'

export interface KeyedRequest {
  readonly caller: Caller
  /** Method and path. */
  readonly route: string
  readonly key: string
  /** HMAC-SHA256 by the key over method, path, query and the bytes of the body; of a streamed body, over the `content` that its handler names. */
  readonly digest: string
  readonly mode: Exclude<Idempotency, 'streamed' | 'none'>
}

/** Keeps the answers of requests that carry an `Idempotency-Key`. */
export interface IdempotencyStore {
  /**
   * The answer to one request: of `produce` for the first one with this key of the caller and route, the same answer again for
   * the others. What `produce` throws is not kept.
   * @throws AppError `conflict` when the key was used with another request, the first one with it is still being worked on, or it ended
   * without an answer
   */
  once(request: KeyedRequest, produce: () => Promise<Answer>): Promise<Answer>
}
