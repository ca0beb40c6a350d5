/** Where a webhook sends to, and the secrets that sign: the present one first. */
export interface WebhookTarget {
  readonly url: string
  readonly secrets: readonly string[]
}

/** What is sent. */
export interface WebhookMessage {
  /** The same at every try (`webhook-id`). */
  readonly id: string
  /** JSON. */
  readonly payload: string
}

/**
 * Why a try failed. `status`: the answer was none of 2xx. `refused`: not https, or the name has an address that is not public. `unreachable`: no
 * connection, or no valid certificate. `timeout`: no whole answer within 5 seconds. `too-large`: an answer of more than 64 KiB.
 */
export type TryError = 'status' | 'refused' | 'unreachable' | 'timeout' | 'too-large'

/** What became of a try. */
export interface TryOutcome {
  /** Null when it was accepted. */
  readonly error: TryError | null
  /** Of the answer, when there was one. */
  readonly statusCode: number | null
}

export interface WebhookSender {
  /** One try. Rejects only with the reason of the signal. */
  send(target: WebhookTarget, message: WebhookMessage, signal?: AbortSignal): Promise<TryOutcome>
}
