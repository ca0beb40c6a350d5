import type { Announced, Decision, Stored } from '../../received-messages/arrivals/arrived-message.js'

/** A message and the decision about it. */
export interface Decided {
  readonly message: Announced
  readonly decision: Decision
}

const maxBytes = 4 * 1_048_576
/**
 * Larger messages are streamed, each in a batch of its own. The limit is above that of a batch, so that no message which shares a batch is streamed,
 * and delays the others.
 */
const streamedBytes = maxBytes + 1_048_576
const maxMessages = 100

export interface ToStore extends Decided {
  readonly decision: Stored
}

export const isStored = (one: Decided): one is ToStore => one.decision.kind === 'store'

export const isStreamed = (one: Decided): boolean => isStored(one) && one.message.size > streamedBytes

/** Cuts messages into batches that are fetched and stored together, in their order: at most 100 messages, and at most 4 MiB to fetch. */
export function batchesOf(all: readonly Decided[]): Decided[][] {
  const batches: Decided[][] = []
  let bytes = 0
  for (const one of all) {
    const size = isStored(one) ? one.message.size : 0
    const batch = batches.at(-1)
    if (batch && batch.length < maxMessages && bytes + size <= maxBytes) batch.push(one)
    else {
      batches.push([one])
      bytes = 0
    }
    bytes += size
  }
  return batches
}
