import { RateLimiterRes } from 'rate-limiter-flexible'
import { answered, type PostgresLimits, refusal } from './postgres-limits.client.js'
import type { TokenRequests } from './token-requests.js'

export function postgresTokenRequests({ limiter }: PostgresLimits, perMinute: number): TokenRequests {
  const requests = limiter({
    ...{ tableName: 'token_requests', keyPrefix: 'address', points: perMinute, duration: 60 },
    // Whoever is refused is refused from memory: a flood costs the database nothing.
    inMemoryBlockOnConsumed: perMinute + 1,
  })
  return {
    async count(networks) {
      await answered(Promise.all(networks.map((network) => requests.consume(network)))).catch((reason: unknown) => {
        throw reason instanceof RateLimiterRes ? refusal([reason]) : reason
      })
    },
  }
}
