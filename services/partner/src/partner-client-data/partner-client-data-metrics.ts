import { Counter, Gauge, type Metrics } from '@caseway/kit/observability'
import type { Outcome } from './client-data.js'

/** @param oldest reads when the oldest unfinished change was requested; null where there is none */
export function partnerClientDataMetrics({ registry }: Pick<Metrics, 'registry'>, oldest: () => Promise<Date | null>) {
  const ended = new Counter({
    name: 'partner_client_data_changes_total',
    help: 'Changes of client data that have ended, by outcome: changed, unchanged, or why they were refused',
    labelNames: ['outcome'] as const,
    registers: [registry],
  })
  new Gauge({
    name: 'partner_client_data_oldest_seconds',
    help: 'Age of the oldest change of client data that has not ended; 0 without one; the same in every process',
    registers: [registry],
    async collect() {
      try {
        const since = await oldest()
        this.set(since ? Math.max(0, (Date.now() - since.getTime()) / 1000) : 0)
      } catch {
        // Without the database the gauge keeps its last value.
      }
    },
  })
  return { count: (outcome: Outcome) => ended.inc({ outcome: outcome.state === 'refused' ? outcome.refusal : outcome.state }) }
}
