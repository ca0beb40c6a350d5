/** The address of a webhook, and the secrets that sign, the present one first. */
export interface WebhookTarget {
  readonly url: string
  readonly secrets: readonly string[]
}

/** The content of a request. */
export interface WebhookMessage {
  /** The same at every try (`webhook-id`). */
  readonly id: string
  /** The body, in JSON. */
  readonly payload: string
}

/**
 * Why a try failed. `status`: the answer was none of 2xx. `refused`: not https, or the name has an address that is not public. `unreachable`: no
 * connection, or no valid certificate. `timeout`: no whole answer within 5 seconds. `too-large`: an answer of more than 64 KiB.
 */
export type TryError = 'status' | 'refused' | 'unreachable' | 'timeout' | 'too-large'

/** The outcome of a try. */
export interface TryOutcome {
  /** Null when it was accepted. */
  readonly error: TryError | null
  /** The status of the answer, if any. */
  readonly statusCode: number | null
}

export interface WebhookSender {
  /** Sends once, without retries. Rejects only where `signal` is aborted, with its reason. */
  send(target: WebhookTarget, message: WebhookMessage, signal?: AbortSignal): Promise<TryOutcome>
}
