import { Gauge, type Metrics } from '@caseway/kit/observability'

/** @param count reads the number of lost files */
export const lostFileMetrics = ({ registry }: Pick<Metrics, 'registry'>, count: () => Promise<number>) => ({
  lost: new Gauge({
    name: 'files_lost',
    help: 'Files whose bytes are missing in the storage, as of their last check; the same in every process',
    registers: [registry],
    async collect() {
      // Without the database the gauge keeps its last value.
      const lost = await count().catch(() => undefined)
      if (lost !== undefined) this.set(lost)
    },
  }),
})
