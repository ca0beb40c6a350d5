import { setTimeout as pause } from 'node:timers/promises'
import type { Employee } from '@caseway/kit/caller'
import { unavailable } from '@caseway/kit/errors'
import { codeRefused } from '../errors.js'
import type { Outcome } from './auth-code.js'
import { type AuthCodeRepository, type Claim, isClaim } from './auth-code.repository.js'

const firstPauseMs = 20
const maxPauseMs = 200

/** Exchanges each code of the accounting platform once. @param waitMs how long a request waits for a concurrent one with the same code, in milliseconds */
export const authCodeService = (codes: AuthCodeRepository, waitMs = 4_500) => ({
  /**
   * The outcome of a code. The first request with it runs `exchange`; later ones of the same office get the stored outcome.
   * @throws AppError `invalid` for another office; `unavailable` when the first request has no outcome in time; whatever `exchange` throws, after which the
   *   code may be exchanged again
   */
  async once({ customerId }: Employee, code: string, exchange: (claim: Claim) => Promise<Outcome>): Promise<Outcome> {
    const end = Date.now() + waitMs
    let found = await codes.claim(customerId, code)
    for (let pauseMs = firstPauseMs; found === 'in flight' && Date.now() < end; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
      await pause(pauseMs)
      found = await codes.find(customerId, code)
    }
    if (found === undefined || found === 'in flight') throw unavailable()
    if (found === 'elsewhere') throw codeRefused()
    if (!isClaim(found)) return found
    const claim = found
    return exchange(claim).catch(async (error: unknown) => {
      // Where this fails, the lease releases the code.
      await codes.release(claim).catch(() => undefined)
      throw error
    })
  },
})

export type AuthCodeService = ReturnType<typeof authCodeService>
