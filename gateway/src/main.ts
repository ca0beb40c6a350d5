import { createDirectTransport } from '@caseway/kit/events'
import { stopOnSignals } from '@caseway/kit/lifecycle'
import { createLog, createMetrics, startMetricsServer } from '@caseway/kit/observability'
import { config } from './config.js'
import { startGateway } from './service.js'

const values = config.read(process.env)
const log = createLog({ service: 'gateway', level: values.logLevel })
const metrics = createMetrics('gateway')
const metricsServer = await startMetricsServer({ port: values.metricsPort, metrics: [metrics], log })
const service = await startGateway(values, { transport: createDirectTransport(), log, metrics })
stopOnSignals(() => service.stop().finally(() => metricsServer.stop()), { log })
