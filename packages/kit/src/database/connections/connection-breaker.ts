import { BrokenCircuitError, ConsecutiveBreaker, circuitBreaker, handleWhen } from 'cockatiel'
import { isLost } from '../errors.js'

const refusals = 3
const pauseMs = 50

/**
 * Opens connections by way of a circuit breaker (cockatiel, `circuitBreaker`). After three refusals in a row one attempt at a time, with
 * 50 ms between them, stands for all callers: those who come meanwhile share its outcome, or have the last refusal at once. Thousands of
 * attempts would only take longer to be refused, and keep a server busy that is starting.
 */
export function connectionBreaker(): <Connection>(open: () => Promise<Connection>) => Promise<Connection> {
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
