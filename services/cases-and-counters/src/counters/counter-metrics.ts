import { Counter, Gauge, type Metrics } from '@caseway/kit/observability'

/** @param drift reads the differences of the counters, summed over the last checks of all offices */
export function counterMetrics({ registry }: Pick<Metrics, 'registry'>, drift: () => Promise<ReadonlyMap<string, number>>) {
  const registers = [registry]
  return {
    counterDrift: new Gauge({
      name: 'counter_drift',
      help: 'Difference between counters and cases, summed over the offices as of their last check; the same in every process',
      labelNames: ['counter'],
      registers,
      async collect() {
        // If the database does not answer, the last values remain.
        const read = await drift().catch(() => new Map<string, number>())
        for (const [counter, value] of read) this.set({ counter }, value)
      },
    }),
    counterChecks: new Counter({
      name: 'counter_checks_total',
      help: 'Counter checks of an office, by outcome',
      labelNames: ['outcome'],
      registers,
    }),
  }
}

export type CounterMetrics = ReturnType<typeof counterMetrics>
