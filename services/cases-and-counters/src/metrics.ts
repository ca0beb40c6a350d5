import { Counter, Gauge, type Metrics } from '@caseway/kit/observability'

/** What this service alone has to tell. */
export function casesMetrics({ registry }: Pick<Metrics, 'registry'>) {
  const registers = [registry]
  return {
    counterDrift: new Gauge({
      name: 'counter_drift',
      help: 'By how much counters of cases differ from the cases, over the offices as each was last looked at; nothing in copies that do not look',
      labelNames: ['counter'],
      registers,
    }),
    counterChecks: new Counter({
      name: 'counter_checks_total',
      help: 'Offices whose counters were compared with their cases',
      labelNames: ['outcome'],
      registers,
    }),
    liveStreams: new Gauge({ name: 'live_streams_open', help: 'Streams of Server-Sent Events that this copy serves', registers }),
  }
}

export type CasesMetrics = ReturnType<typeof casesMetrics>
