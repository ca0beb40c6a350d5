import { RateLimiterRes } from 'rate-limiter-flexible'
import type { OfficeRequests } from './office-requests.js'
import { answered, type PostgresLimits, refusal } from './postgres-limits.client.js'

/** Requests of one client within a day. */
const perDay = 20
const daySeconds = 86_400

export function postgresOfficeRequests({ limiter }: PostgresLimits): OfficeRequests {
  const requests = limiter({ tableName: 'office_requests', keyPrefix: 'client', points: perDay, duration: daySeconds })
  return {
    async count(clientId) {
      await answered(requests.consume(String(clientId))).catch((reason: unknown) => {
        throw reason instanceof RateLimiterRes ? refusal([reason]) : reason
      })
    },
  }
}
