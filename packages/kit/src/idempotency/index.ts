import type { Caller } from '../caller/index.js'

/** A serialized answer, so that a replay is the same byte for byte. */
export interface Answer {
  status: number
  headers: Record<string, string>
  body: string
}

/**
 * How a POST route treats an `Idempotency-Key`.
 * - `transaction` (the default): key, effect and answer are written in one transaction, which begins with the first write of the handler. For handlers whose
 *   effects are in the database; work before the first write, such as hashing a password, holds no connection.
 * - `claimed`: the key is committed, then the handler runs without a transaction or a connection, then its answer is stored. For handlers with effects outside
 *   of the database.
 * - `streamed`: as `transaction`, for a handler that reads the body itself, and calls `Space.answerOnce` when it knows its content.
 * - `none`: the key is ignored, and no answer is stored. For answers with a secret that a repeated request replaces, and for requests that only test something.
 */
export type Idempotency = 'transaction' | 'claimed' | 'streamed' | 'none'

export interface KeyedRequest {
  readonly caller: Caller
  /** Method and path, such as `POST /expert/rest/tag`. */
  readonly route: string
  readonly key: string
  /** HMAC-SHA256, keyed by `key`, of method, path, query and the bytes of the body, or the `content` that the handler of a streamed body passes. */
  readonly digest: string
  readonly mode: Exclude<Idempotency, 'streamed' | 'none'>
}

/** Stores the answers of requests with an `Idempotency-Key`. */
export interface IdempotencyStore {
  /**
   * Answers a request: the first one with this caller, route and key by `produce`, and later ones with the stored answer. An error of `produce` is thrown and
   * not stored.
   * @throws AppError `conflict` where the key was used with another request, or the first request with it is still running or ended without an answer
   */
  once(request: KeyedRequest, produce: () => Promise<Answer>): Promise<Answer>
}
