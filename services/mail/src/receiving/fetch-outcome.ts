import type { Announced, Arrived } from '../received-messages/arrived-message.js'
import type { Decided } from './fetch-batch.js'
import type { Failure } from './remote-folder.repository.js'

/** The outcome of a batch. */
export interface Outcome {
  readonly batch: readonly Decided[]
  readonly arrived: readonly Arrived[]
  readonly failed: readonly Failure[]
}

export const failureOf = ({ place: { uid, uidl } }: Announced, error: Failure['error']): Failure => ({ uid, uidl: uidl ?? null, error })
