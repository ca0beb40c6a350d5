import { AsyncLocalStorage } from 'node:async_hooks'
import type { Claim } from './claim.js'

interface End {
  readonly claim: Claim
  resolve(held: boolean): void
  reject(error: unknown): void
}

/**
 * Ends jobs that have nothing to write, together: those that end while a transaction is under way share the next one.
 * @param finish ends the jobs of these claims in one transaction; gives the ids of the claims that held
 */
export function batchEnds(finish: (claims: readonly Claim[]) => Promise<ReadonlySet<bigint>>): (claim: Claim) => Promise<boolean> {
  // A transaction for many jobs belongs to the trace of none.
  const outsideOfJobs = AsyncLocalStorage.snapshot()
  const ends: End[] = []
  let sending = false

  const send = async () => {
    sending = true
    for (let batch = ends.splice(0); batch.length > 0; batch = ends.splice(0)) {
      try {
        const held = await finish(batch.map(({ claim }) => claim))
        for (const { claim, resolve } of batch) resolve(held.has(claim.id))
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    sending = false
  }

  return (claim) =>
    new Promise((resolve, reject) => {
      ends.push({ claim, resolve, reject })
      if (!sending) void outsideOfJobs(send)
    })
}
