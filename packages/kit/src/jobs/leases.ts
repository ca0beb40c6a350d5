import type { Logger } from '../observability/index.js'
import type { Claim } from './claim.js'
import type { JobRows } from './job-rows.js'
import { LeaseLost } from './run.js'

interface Lease {
  readonly claim: Claim
  readonly leaseMs: number
  readonly lost: AbortController
  /** When the last successful renewal was sent, by `performance.now()`. */
  renewedAt: number
}

export interface Held {
  /** Aborted when the lease is lost: another worker may have the job. */
  readonly lost: AbortSignal
  /** Ends the renewal of the lease. */
  release(): void
}

/**
 * Renews the leases that this worker holds until `stop`, three times within the shortest of them.
 * @param shortestMs the shortest lease of the worker's jobs, in milliseconds
 */
export function keepLeases(rows: JobRows, shortestMs: number, log: Logger) {
  const leases = new Map<bigint, Lease>()
  let renewing = false

  const lose = (lease: Lease) => {
    if (leases.get(lease.claim.id) === lease) lease.lost.abort(new LeaseLost())
  }
  const renew = async () => {
    const held = [...leases.values()]
    if (held.length === 0 || renewing) return
    renewing = true
    const sentAt = performance.now()
    try {
      const renewed = new Set(
        await rows.renew(
          held.map(({ claim }) => claim),
          held.map(({ leaseMs }) => leaseMs),
        ),
      )
      for (const lease of held) {
        if (renewed.has(lease.claim.id)) lease.renewedAt = sentAt
        else lose(lease)
      }
    } catch (err) {
      log.warn({ err }, 'leases of jobs could not be renewed')
    } finally {
      renewing = false
    }
  }
  /** When the database does not answer, a lease counts as lost at its end: another worker may have claimed the job. */
  const expire = () => {
    const now = performance.now()
    for (const lease of leases.values()) if (now > lease.renewedAt + lease.leaseMs) lose(lease)
  }
  const timer = setInterval(() => {
    expire()
    void renew()
  }, shortestMs / 3).unref()

  return {
    /** @param claimedAt when the claim was sent, by `performance.now()` */
    hold(claim: Claim, leaseMs: number, claimedAt: number): Held {
      const lease = { claim, leaseMs, lost: new AbortController(), renewedAt: claimedAt }
      // A worker may claim a job whose lease it has lost: its earlier run is aborted.
      leases.get(claim.id)?.lost.abort(new LeaseLost())
      leases.set(claim.id, lease)
      return { lost: lease.lost.signal, release: () => void (leases.get(claim.id) === lease && leases.delete(claim.id)) }
    },
    stop: () => clearInterval(timer),
  }
}
