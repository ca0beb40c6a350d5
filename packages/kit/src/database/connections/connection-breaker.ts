import { BrokenCircuitError, ConsecutiveBreaker, circuitBreaker, handleWhen } from 'cockatiel'
import { isLost } from '../errors.js'

/** Opens a connection by calling `open`, or says why that is not tried. */
export type Opening = (open: () => Promise<void>) => Promise<void>

const refusals = 3
const pauseMs = 50

/**
 * Opens the connections of a pool by way of a circuit breaker (cockatiel, `circuitBreaker`). After three in a row that could not be opened, one
 * attempt at a time, with 50 ms between them, stands for all others: those that come meanwhile share its outcome, or have the last error at once.
 * Thousands of attempts would only take longer to be refused, and keep a server busy that is starting.
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
