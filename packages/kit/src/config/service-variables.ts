import { logLevels } from '../observability/index.js'
import { samplerNames } from '../tracing/index.js'
import { databaseAddressVariables } from './database-variables.js'
import type { Values } from './define-config.js'
import { grpcIdentityVariables } from './grpc-variables.js'
import { kafkaVariables } from './kafka-variables.js'
import { choice, integer, port, share, text, url, urls } from './variables.js'

const milliseconds = { shared: true, min: 0 }

/** Named by OpenTelemetry (Environment Variable Specification). The exporter reads the other `OTEL_EXPORTER_OTLP_*` by itself. */
export const tracingVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: url({
    optional: true,
    shared: true,
    help: 'Where traces are sent, over OTLP (http/protobuf) to `/v1/traces` below it; without it there are none',
  }),
  OTEL_EXPORTER_OTLP_TIMEOUT: integer({
    ...milliseconds,
    default: 10_000,
    help: 'Milliseconds in which a receiver must take spans, repetitions and all',
  }),
  OTEL_TRACES_SAMPLER: choice(samplerNames, {
    default: 'parentbased_always_on',
    shared: true,
    help: 'Which traces are recorded; with `parentbased_` the one decides with whom a trace begins',
  }),
  OTEL_TRACES_SAMPLER_ARG: share({ default: 1, shared: true, help: 'The share of the traces that is recorded, for a sampler `…ratio`' }),
  OTEL_BSP_SCHEDULE_DELAY: integer({ ...milliseconds, default: 5_000, help: 'Milliseconds between two sendings of spans' }),
  OTEL_BSP_EXPORT_TIMEOUT: integer({ ...milliseconds, default: 30_000, help: 'Milliseconds that one sending may take' }),
  OTEL_BSP_MAX_QUEUE_SIZE: integer({ shared: true, default: 2_048, min: 1, help: 'Spans that wait to be sent; more of them are lost' }),
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: integer({ shared: true, default: 512, min: 1, help: 'Spans of one sending' }),
}

export const processVariables = {
  METRICS_HOST: text({ default: '0.0.0.0', help: 'Where the metrics are served: an inner network only' }),
  METRICS_PORT: port({ default: 9464, help: 'Port of the metrics; 0 takes a free one' }),
  READINESS_DELAY_MS: integer({
    default: 5_000,
    min: 0,
    help: 'Milliseconds that a stopping service still serves after it said that it is not ready',
  }),
  ...kafkaVariables,
  LOG_LEVEL: choice(logLevels, { default: 'info', shared: true, help: 'The least grave lines that the log shows' }),
  ...tracingVariables,
}

export const httpVariables = {
  HTTP_HOST: text({ default: '0.0.0.0', help: 'Where HTTP listens' }),
  HTTP_PORT: port({ default: 3000, help: 'Port of HTTP; 0 takes a free one' }),
  EXPERT_URL: url({ shared: true, help: 'Public address for employees, the beginning of every `location`' }),
  CLIENT_URL: url({ shared: true, help: 'Public address for clients, the beginning of every `location`' }),
}

export const grpcVariables = {
  GRPC_HOST: text({ default: '0.0.0.0', help: 'Where gRPC listens: an inner network only' }),
  GRPC_PORT: port({ default: 50_051, help: 'Port of gRPC; 0 takes a free one' }),
  ...grpcIdentityVariables,
}

export const databaseVariables = {
  ...databaseAddressVariables('Database of the service, with the role that row-level security binds'),
  POOL_MAX: integer({ default: 10, min: 1, max: 1_000, help: 'Connections of one copy of the service' }),
  POOL_CONNECT_TIMEOUT_MS: integer({ default: 2_000, min: 1, help: 'Milliseconds that a request waits for a connection' }),
  POOL_STATEMENT_TIMEOUT_MS: integer({ default: 5_000, min: 1, help: 'Milliseconds that one statement may take' }),
  POOL_LOCK_TIMEOUT_MS: integer({ default: 2_000, min: 1, help: 'Milliseconds that a statement waits for a lock' }),
  POOL_IDLE_IN_TRANSACTION_TIMEOUT_MS: integer({ default: 10_000, min: 1, help: 'Milliseconds that a transaction may do nothing' }),
}

export const tokenVariables = {
  TOKEN_ISSUER: text({ shared: true, help: 'The `iss` that a token must carry' }),
  JWKS_URL: urls({ shared: true, help: 'Where the public keys of tokens are fetched' }),
}

/** What a service is told that has HTTP, gRPC, a database, and tokens to verify. One that has less takes the groups that it has. */
export const serviceVariables = { ...processVariables, ...httpVariables, ...grpcVariables, ...databaseVariables, ...tokenVariables }

/** The settings of the pool, in the words of `createDatabase`. */
export const poolSettings = (config: Values<typeof databaseVariables>) => ({
  max: config.poolMax,
  connectTimeoutMs: config.poolConnectTimeoutMs,
  statementTimeoutMs: config.poolStatementTimeoutMs,
  lockTimeoutMs: config.poolLockTimeoutMs,
  idleInTransactionTimeoutMs: config.poolIdleInTransactionTimeoutMs,
})
