import type { Announced, Arrived } from '../../received-messages/arrivals/arrived-message.js'
import type { Failure } from '../folders/remote-folder.repository.js'
import type { Decided } from './fetch-batch.js'

/** The outcome of a batch. */
export interface Outcome {
  readonly batch: readonly Decided[]
  readonly arrived: readonly Arrived[]
  readonly failed: readonly Failure[]
}

export const failureOf = ({ place: { uid, uidl } }: Announced, error: Failure['error']): Failure => ({ uid, uidl: uidl ?? null, error })
