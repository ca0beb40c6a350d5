import { createDirectTransport } from '@caseway/kit/events'
import { stopOnSignals } from '@caseway/kit/lifecycle'
import { createLog, createMetrics, startMetricsServer } from '@caseway/kit/observability'
import { config } from './config.js'
import { startAuth } from './service.js'

const values = config.read(process.env)
const log = createLog({ service: 'auth', level: values.logLevel })
const metrics = createMetrics('auth')
const metricsServer = await startMetricsServer({ port: values.metricsPort, metrics: [metrics], log })
const service = await startAuth(values, { transport: createDirectTransport(), log, metrics })
stopOnSignals(() => service.stop().finally(() => metricsServer.stop()), { log })
