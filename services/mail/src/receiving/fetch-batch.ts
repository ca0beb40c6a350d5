import type { Announced, Decision, Stored } from '../received-messages/arrived-message.js'

/** A message with what was decided about it. */
export interface Decided {
  readonly message: Announced
  readonly decision: Decision
}

const mostBytes = 4 * 1_048_576
/** Larger ones are fetched alone and in pieces, in bytes. Above a batch: what shares a batch with others is never streamed, which would hold them up. */
const streamedBytes = mostBytes + 1_048_576
const mostMessages = 100

export interface ToStore extends Decided {
  readonly decision: Stored
}

export const isStored = (one: Decided): one is ToStore => one.decision.kind === 'store'

export const isStreamed = (one: Decided): boolean => isStored(one) && one.message.size > streamedBytes

/** Cuts messages into what is fetched and stored together, in their order: at most 100, and at most 4 MiB of those that are fetched. */
export function batchesOf(all: readonly Decided[]): Decided[][] {
  const batches: Decided[][] = []
  let bytes = 0
  for (const one of all) {
    const size = isStored(one) ? one.message.size : 0
    const batch = batches.at(-1)
    if (batch && batch.length < mostMessages && bytes + size <= mostBytes) batch.push(one)
    else {
      batches.push([one])
      bytes = 0
    }
    bytes += size
  }
  return batches
}
