import { Gauge, type Metrics } from '@caseway/kit/observability'

export const feedMetrics = ({ registry }: Pick<Metrics, 'registry'>) => ({
  liveStreams: new Gauge({
    name: 'live_streams_open',
    help: 'Open Server-Sent Events streams',
    registers: [registry],
  }),
})
