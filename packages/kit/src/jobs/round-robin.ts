import type { JobHandler } from './handler.js'
import type { Claimed, ClaimQuery } from './job-rows.js'

/** Lower than every share; see `ClaimedJob`. */
const first = -(2n ** 63n)

/**
 * The slots of one kind of job in this copy, and the share whose turn is next. Shares (see `ClaimedJob`) take turns, and each may occupy at most half of the
 * slots, so that one with many or slow jobs does not delay the others. Jobs of the platform may occupy all slots.
 */
export function createRoundRobin<Client>(handler: JobHandler<Client>) {
  const { job, concurrency } = handler
  const maxOfShare = Math.ceil(concurrency / 2)
  const held = new Map<bigint, number>()
  const room = (share: bigint) => (share === 0n ? concurrency : maxOfShare - (held.get(share) ?? 0))
  let occupied = 0
  let after = first

  return {
    handler,

    /** Occupies a slot for a job of `share`. @returns the function that frees the slot */
    occupy(share: bigint): () => void {
      occupied++
      held.set(share, (held.get(share) ?? 0) + 1)
      return () => {
        occupied--
        const remaining = (held.get(share) ?? 1) - 1
        if (remaining > 0) held.set(share, remaining)
        else held.delete(share)
      }
    },

    /** The next claim, or undefined while no slot is free. */
    next(): ClaimQuery | undefined {
      if (occupied >= concurrency) return undefined
      const without = [...held.keys()].filter((share) => room(share) <= 0)
      return { job, limit: concurrency - occupied, after, without, room }
    },

    /** Records the result of a claim. @returns `left`: whether ready jobs may be left; `again`: whether another claim may find them at once */
    passed({ limit, without }: ClaimQuery, { last, attempted, left: leftOfThese }: Claimed): { left: boolean; again: boolean } {
      const wrapped = after === first
      after = last === undefined || attempted < limit ? first : last
      const left = leftOfThese || !wrapped || without.length > 0
      return { left, again: left && (attempted > 0 || !wrapped) }
    },
  }
}

export type RoundRobin<Client> = ReturnType<typeof createRoundRobin<Client>>
