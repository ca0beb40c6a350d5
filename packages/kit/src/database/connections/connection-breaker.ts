import { BrokenCircuitError, ConsecutiveBreaker, circuitBreaker, handleWhen } from 'cockatiel'
import { isLost } from '../errors.js'

/** Opens a connection by calling `open`, or rejects without calling it. */
export type Opening = (open: () => Promise<void>) => Promise<void>

const refusals = 3
const pauseMs = 50

/**
 * A circuit breaker (cockatiel, `circuitBreaker`) for the connections of one pool. After three failures in a row to open one it is open for 50 ms, in
 * which every attempt rejects with the last error; then it is half-open: one connection is opened, and all other attempts wait for its outcome.
 * While PostgreSQL starts, it would otherwise spend its time on refusing connections.
 */
export function connectionBreaker(): Opening {
  const breaker = circuitBreaker(handleWhen(isLost), { halfOpenAfter: pauseMs, breaker: new ConsecutiveBreaker(refusals) })
  return async (open) => {
    try {
      return await breaker.execute(open)
    } catch (error) {
      const refusal = error instanceof BrokenCircuitError ? breaker.lastFailure : undefined
      throw refusal && 'error' in refusal ? refusal.error : error
    }
  }
}
