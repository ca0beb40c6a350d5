import { Gauge, type Metrics } from '@caseway/kit/observability'

/** @param waitingSince reads since when the oldest card has been waiting for review; null where none is */
export const reviewMetrics = ({ registry }: Pick<Metrics, 'registry'>, waitingSince: () => Promise<Date | null>) => ({
  oldestWaiting: new Gauge({
    name: 'company_cards_oldest_waiting_seconds',
    help: 'Longest time that a company card has waited for approval since its last change; 0 if none waits; the same in every process',
    registers: [registry],
    async collect() {
      // Without the database the gauge keeps its last value.
      const since = await waitingSince().catch(() => undefined)
      if (since !== undefined) this.set(since ? Math.max(0, (Date.now() - since.getTime()) / 1000) : 0)
    },
  }),
})
