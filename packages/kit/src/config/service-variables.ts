import { logLevels } from '../observability/index.js'
import { samplerNames } from '../tracing/index.js'
import { databaseAddressVariables } from './database-variables.js'
import type { Values } from './define-config.js'
import { grpcIdentityVariables } from './grpc-variables.js'
import { kafkaVariables } from './kafka-variables.js'
import { urls } from './lists.js'
import { choice, host, integer, port, ratio, text, url } from './variables.js'

const milliseconds = { shared: true, min: 0 }

/** Variables of OpenTelemetry (Environment Variable Specification). Further `OTEL_EXPORTER_OTLP_*` variables are read by the exporter itself. */
export const tracingVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: url({
    optional: true,
    shared: true,
    help: 'OTLP endpoint (http/protobuf); traces are sent to `/v1/traces` below it. Without it tracing is off',
  }),
  OTEL_EXPORTER_OTLP_TIMEOUT: integer({
    ...milliseconds,
    default: 10_000,
    help: 'Milliseconds within which an export must succeed, retries included',
  }),
  OTEL_TRACES_SAMPLER: choice(samplerNames, {
    default: 'parentbased_always_on',
    shared: true,
    help: 'Trace sampler; with `parentbased_` the decision of the parent span is kept',
  }),
  OTEL_TRACES_SAMPLER_ARG: ratio({ default: 1, shared: true, help: 'Share of the traces that is recorded, for the samplers `…ratio`' }),
  OTEL_BSP_SCHEDULE_DELAY: integer({ ...milliseconds, default: 5_000, help: 'Milliseconds between two exports of spans' }),
  OTEL_BSP_EXPORT_TIMEOUT: integer({ ...milliseconds, default: 30_000, help: 'Timeout of one export, in milliseconds' }),
  OTEL_BSP_MAX_QUEUE_SIZE: integer({
    shared: true,
    default: 2_048,
    min: 1,
    help: 'Maximum number of spans that wait for export; more are dropped',
  }),
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: integer({ shared: true, default: 512, min: 1, help: 'Maximum number of spans in one export' }),
}

/** The variables of every process: metrics, the delay of its stop, Kafka, log and traces. `kafkaRule` belongs to them. */
export const processVariables = {
  METRICS_HOST: host({ default: '0.0.0.0', help: 'Host on which the metrics are served; must not be reachable from outside' }),
  METRICS_PORT: port({ default: 9464, help: 'Port of the metrics; 0 picks a free one' }),
  READINESS_DELAY_MS: integer({
    default: 5_000,
    min: 0,
    help: 'Milliseconds for which a stopping service still serves after it became unready',
  }),
  ...kafkaVariables,
  LOG_LEVEL: choice(logLevels, { default: 'info', shared: true, help: 'Minimum log level' }),
  ...tracingVariables,
}

/** The address on which HTTP listens, and the public base URLs. */
export const httpVariables = {
  HTTP_HOST: host({ default: '0.0.0.0', help: 'Host on which HTTP listens' }),
  HTTP_PORT: port({ default: 3000, help: 'Port of HTTP; 0 picks a free one' }),
  EXPERT_URL: url({ shared: true, help: 'Public base URL for employees, used in `location`' }),
  CLIENT_URL: url({ shared: true, help: 'Public base URL for clients, used in `location`' }),
}

/** The variables of a gRPC server. `grpcIdentityRule` belongs to them. A process that is only a client needs `grpcIdentityVariables` alone. */
export const grpcVariables = {
  GRPC_HOST: host({ default: '0.0.0.0', help: 'Host on which gRPC listens; must not be reachable from outside' }),
  GRPC_PORT: port({ default: 50_051, help: 'Port of gRPC; 0 picks a free one' }),
  ...grpcIdentityVariables,
}

/** The address of the database, and the limits of the pool. `databaseRule` belongs to them. See `poolSettings`. */
export const databaseVariables = {
  ...databaseAddressVariables('Database of the service, with the role to which row-level security applies'),
  POOL_MAX: integer({ default: 10, min: 1, max: 1_000, help: 'Maximum number of database connections of one process' }),
  POOL_CONNECT_TIMEOUT_MS: integer({ default: 2_000, min: 1, help: 'Timeout for getting a connection from the pool, in milliseconds' }),
  POOL_STATEMENT_TIMEOUT_MS: integer({ default: 5_000, min: 1, help: '`statement_timeout`, in milliseconds' }),
  POOL_LOCK_TIMEOUT_MS: integer({ default: 2_000, min: 1, help: '`lock_timeout`, in milliseconds' }),
  POOL_IDLE_IN_TRANSACTION_TIMEOUT_MS: integer({ default: 10_000, min: 1, help: '`idle_in_transaction_session_timeout`, in milliseconds' }),
}

/** The issuer of accepted access tokens (`iss`, RFC 7519 4.1.1), and the address of the keys that verify them (RFC 7517). */
export const tokenVariables = {
  TOKEN_ISSUER: text({ shared: true, help: 'Required issuer (`iss`) of access tokens' }),
  JWKS_URL: urls({ shared: true, help: 'JWKS URL of the public keys of access tokens' }),
}

/** The variables of a service with HTTP, gRPC, a database, and tokens to verify. A service without one of them uses the single groups. */
export const serviceVariables = { ...processVariables, ...httpVariables, ...grpcVariables, ...databaseVariables, ...tokenVariables }

/** The option `pool` of `createDatabase`. Times are in milliseconds. */
export const poolSettings = (config: Values<typeof databaseVariables>) => ({
  max: config.poolMax,
  connectTimeoutMs: config.poolConnectTimeoutMs,
  statementTimeoutMs: config.poolStatementTimeoutMs,
  lockTimeoutMs: config.poolLockTimeoutMs,
  idleInTransactionTimeoutMs: config.poolIdleInTransactionTimeoutMs,
})
