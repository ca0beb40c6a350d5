import type { Id } from '@caseway/kit/caller'

/** A delivery that has not ended. */
export interface PendingDelivery {
  readonly id: Id
  readonly eventId: string
  readonly eventType: string
  readonly eventTime: Date
  readonly subject: string
  /** Null before the first try. */
  readonly payload: string | null
  readonly tries: number
}

/** The result of a try. */
export interface TriedDelivery {
  readonly delivery: PendingDelivery
  /** Null where the record could not be read, so that there was no try. */
  readonly payload: string | null
  /** Null when it was delivered. */
  readonly error: string | null
  readonly statusCode: number | null
}
