import { Counter, type Metrics } from '@caseway/kit/observability'
import type { AccountingPlatform } from './accounting-platform.js'

type Call = 'exchange' | 'refresh' | 'revoke' | 'companies'

/** Counts requests to the platform by outcome. */
export const platformRequests = ({ registry }: Pick<Metrics, 'registry'>) =>
  new Counter({
    name: 'accounting_platform_requests_total',
    help: 'Requests to the accounting platform, by outcome: answered, refused (a code or a refresh token), or failed (no answer, or an invalid one)',
    labelNames: ['call', 'outcome'],
    registers: [registry],
  })

/** Wraps `platform` to count its requests. */
export function countedPlatform(platform: AccountingPlatform, requests: ReturnType<typeof platformRequests>): AccountingPlatform {
  const counted = async <T>(call: Call, answer: Promise<T>): Promise<T> => {
    try {
      const answered = await answer
      requests.inc({ call, outcome: answered === 'refused' ? 'refused' : 'answered' })
      return answered
    } catch (error) {
      requests.inc({ call, outcome: 'failed' })
      throw error
    }
  }
  return {
    ...platform,
    exchange: (answer) => counted('exchange', platform.exchange(answer)),
    refresh: (token) => counted('refresh', platform.refresh(token)),
    revoke: (token) => counted('revoke', platform.revoke(token)),
    companies: (token) => counted('companies', platform.companies(token)),
  }
}
