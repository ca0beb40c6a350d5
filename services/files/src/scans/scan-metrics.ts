import { Gauge, type Metrics } from '@caseway/kit/observability'

/** @param oldestPending reads the upload time of the oldest file that has not been scanned; null where all have been */
export function scanMetrics({ registry }: Pick<Metrics, 'registry'>, oldestPending: () => Promise<Date | null>) {
  const gauge = new Gauge({
    name: 'files_oldest_pending_seconds',
    help: 'Age of the oldest file that has not been scanned for viruses yet; 0 without one; the same in every process',
    registers: [registry],
    async collect() {
      try {
        const oldest = await oldestPending()
        this.set(oldest ? Math.max(0, (Date.now() - oldest.getTime()) / 1000) : 0)
      } catch {
        // Without the database the gauge keeps its last value.
      }
    },
  })
  return { oldestPending: gauge }
}
