import { type DeclaredVariable, kafkaSettings, type kafkaVariables, readOrExit, type Values } from '../config/index.js'
import { createTransport, type EventTransport } from '../events/index.js'
import { lifecycle, stopOnSignals } from '../lifecycle/index.js'
import { createLog, createMetrics, type Logger, type LogLevel, type Metrics, startMetricsServer } from '../observability/index.js'
import { startTracing, type TracingSettings } from '../tracing/index.js'
import { warnOfPlainText } from './plain-text.js'
import { releaseStartMemory } from './release-memory.js'

/** What the process provides to the service in it. */
export interface ProcessParts {
  transport: EventTransport
  log: Logger
  metrics: Metrics
}

/** The variables that the process itself needs; see `processVariables`. */
interface ProcessValues extends TracingSettings, Values<typeof kafkaVariables> {
  readonly logLevel: LogLevel
  readonly metricsHost: string
  readonly metricsPort: number
}

/**
 * Runs a service or the gateway as a process: reads its configuration from the environment, serves its metrics, opens the event transport, starts it, and stops
 * it on SIGTERM or SIGINT. Exits with 1 where the configuration is not usable, or the start fails; the supervisor is expected to restart it.
 * @param start starts the service
 */
export async function runProcess<Config extends ProcessValues>(
  name: string,
  config: { read(env: NodeJS.ProcessEnv): Config; variables(): readonly DeclaredVariable[] },
  start: (values: Config, parts: ProcessParts) => Promise<{ stop(): Promise<void> }>,
): Promise<void> {
  const values = readOrExit(config)
  const log = createLog({ service: name, level: values.logLevel })
  warnOfPlainText(config.variables(), process.env, log)
  const metrics = createMetrics(name)
  const exitWithError = (err: unknown): never => {
    log.fatal({ err }, 'the service has failed and must be restarted')
    process.exit(1)
  }
  const life = lifecycle({ log, readinessDelayMs: 0 })
  // First, so that the services find their tracers, and last to stop, so that their last spans are sent.
  life.running('tracing', () => startTracing(values, log))
  life.running('metrics', () => startMetricsServer({ host: values.metricsHost, port: values.metricsPort, metrics: [metrics], log }))
  const transport = life.running('events', () => createTransport({ ...kafkaSettings(values), clientId: name, log, metrics }))
  life.running(name, () => start(values, { transport: transport(), log, metrics }))
  stopOnSignals(life.stop, { log })
  // The parent process is notified of readiness; a process whose parent has gone stops.
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  await life.start().catch(exitWithError)
  await releaseStartMemory()
  process.send?.('ready')
}
