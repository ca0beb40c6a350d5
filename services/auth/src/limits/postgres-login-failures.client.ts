import { createHash } from 'node:crypto'
import type { Counter } from '@caseway/kit/observability'
import type { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Attempt, LoginFailures } from './login-failures.js'
import { answered, type PostgresLimits, refusal } from './postgres-limits.client.js'

const durationSeconds = 15 * 60

/** How many failures within 15 minutes are too many. */
const limits = { accountAtAddress: 10, account: 100, address: 100 }
type Limit = keyof typeof limits

interface Count {
  readonly limit: Limit
  readonly key: string
}

/**
 * What an attempt counts for. In this order: repeated tries from one address do not lock the account for all others. The names
 * of accounts are not kept, only their hashes.
 */
function countsOf({ account, networks, known = false }: Attempt): Count[] {
  const hash = createHash('sha256').update(account).digest('base64url')
  const everywhere = known ? [] : [{ limit: 'account', key: hash } as const]
  const here = networks.map((network) => ({ limit: 'accountAtAddress', key: `${hash} ${network}` }) as const)
  return [...here, ...everywhere, ...networks.map((key) => ({ limit: 'address', key }) as const)]
}

/** @param refusals counts those who come too often */
export function postgresLoginFailures({ limiter }: PostgresLimits, refusals: Pick<Counter, 'inc'>): LoginFailures {
  const names = Object.keys(limits) as Limit[]
  const counted = (name: Limit) => ({ keyPrefix: name, points: limits[name] })
  const limiters = Object.fromEntries(
    names.map((name) => [name, limiter({ tableName: 'login_failures', duration: durationSeconds, ...counted(name) })]),
  ) as Record<Limit, RateLimiterPostgres>

  const refuse = (reached: readonly (RateLimiterRes | null)[]): void => {
    if (reached.length === 0) return
    refusals.inc()
    throw refusal(reached)
  }

  return {
    async check(attempt) {
      const counts = countsOf(attempt)
      const found = await answered(Promise.all(counts.map(({ limit, key }) => limiters[limit].get(key))))
      refuse(found.filter((count, index) => count && count.consumedPoints >= limits[(counts[index] as Count).limit]))
    },

    async note(attempt) {
      for (const { limit, key } of countsOf(attempt)) {
        const count = await answered(limiters[limit].penalty(key))
        refuse(count.consumedPoints > limits[limit] ? [count] : [])
      }
    },

    async clear(attempt) {
      const here = countsOf(attempt).filter(({ limit }) => limit === 'accountAtAddress')
      await answered(Promise.all(here.map(({ limit, key }) => limiters[limit].delete(key))))
    },
  }
}
