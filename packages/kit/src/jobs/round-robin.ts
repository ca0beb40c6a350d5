import type { JobHandler } from './handler.js'
import type { ClaimQuery } from './job-rows.js'

/** Below every share; see `ClaimedJob`. */
const first = -(2n ** 63n)

/**
 * The slots of one kind of work in this copy, and whose turn it is. Offices have their turn one after the other, and one office holds at most
 * half of the slots, so that one whose jobs are many, or slow, does not keep the others waiting. Jobs of the platform may have all.
 */
export function createRoundRobin<Client>(handler: JobHandler<Client>) {
  const { job, concurrency } = handler
  const mostOfShare = Math.ceil(concurrency / 2)
  const held = new Map<bigint, number>()
  const room = (share: bigint) => (share === 0n ? concurrency : mostOfShare - (held.get(share) ?? 0))
  let occupied = 0
  let after = first

  return {
    handler,

    /** Occupies a slot. @returns what frees it */
    occupy(share: bigint): () => void {
      occupied++
      held.set(share, (held.get(share) ?? 0) + 1)
      return () => {
        occupied--
        const left = (held.get(share) ?? 1) - 1
        if (left > 0) held.set(share, left)
        else held.delete(share)
      }
    },

    /** What to claim next, or undefined while no slot is free. */
    next(): ClaimQuery | undefined {
      if (occupied >= concurrency) return undefined
      const without = [...held.keys()].filter((share) => room(share) <= 0)
      return { job, limit: concurrency - occupied, after, without, room }
    },

    /** Told what a claim has found. @returns whether there may be more */
    passed({ limit }: ClaimQuery, last: bigint | undefined, seen: number): boolean {
      const wrapped = after === first
      after = last === undefined || seen < limit ? first : last
      return seen > 0 || !wrapped
    },
  }
}

export type RoundRobin<Client> = ReturnType<typeof createRoundRobin<Client>>
