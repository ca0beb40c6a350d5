import { Counter, Gauge, type Metrics } from '@caseway/kit/observability'

/** What this service alone has to tell. */
export function casesMetrics({ registry }: Pick<Metrics, 'registry'>) {
  const registers = [registry]
  return {
    counterDrift: new Gauge({
      name: 'counter_drift',
      help: 'Difference between counters and cases, summed over the offices as of their last check; absent in processes that do not check',
      labelNames: ['counter'],
      registers,
    }),
    counterChecks: new Counter({
      name: 'counter_checks_total',
      help: 'Counter checks of an office, by outcome',
      labelNames: ['outcome'],
      registers,
    }),
    liveStreams: new Gauge({ name: 'live_streams_open', help: 'Open Server-Sent Events streams', registers }),
  }
}

export type CasesMetrics = ReturnType<typeof casesMetrics>
