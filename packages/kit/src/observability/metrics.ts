import { Counter, Gauge, Histogram, Registry } from 'prom-client'

/** For the metrics that a service declares for itself, in its `metrics.ts`: `registers: [metrics.registry]`. */
export { Counter, Gauge } from 'prom-client'

/** The buckets of durations, in seconds. There are few, because each is a series of each route. */
const durations = [0.0025, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 2.5, 10]

/** The maximum of gauges that count rows: counting a longer backlog would load the database. */
export const countAtMost = 10_000

/**
 * Creates the registry of a service with all metrics of the kit (prom-client). The values of labels come from closed lists (route patterns, topics, states) and
 * never from input, so that there are few series.
 */
export function createMetrics(service: string) {
  const registry = new Registry()
  registry.setDefaultLabels({ service })
  const registers = [registry]
  return {
    service,
    registry,
    httpRequestDuration: new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time from the head of a request to the end of its response',
      // Without the status, which would multiply the buckets to thousands of series.
      labelNames: ['route', 'method'],
      buckets: durations,
      registers,
    }),
    httpRequests: new Counter({
      name: 'http_requests_total',
      // The label is the class, such as 4xx, because each status would be a series of each route. The log has the status.
      help: 'Requests that were answered, by the class of their status',
      labelNames: ['route', 'method', 'status'],
      registers,
    }),
    grpcServerDuration: new Histogram({
      name: 'grpc_server_duration_seconds',
      help: 'Duration of a call',
      labelNames: ['method'],
      buckets: durations,
      registers,
    }),
    grpcServerCalls: new Counter({
      name: 'grpc_server_calls_total',
      help: 'Calls that were answered',
      labelNames: ['method', 'code'],
      registers,
    }),
    authenticationDenials: new Counter({
      name: 'authentication_denials_total',
      help: 'Requests refused for a missing or invalid token',
      labelNames: ['reason'],
      registers,
    }),
    permissionDenials: new Counter({
      name: 'permission_denials_total',
      help: 'Requests refused to an authenticated caller, by base role',
      labelNames: ['role'],
      registers,
    }),
    poolConnections: new Gauge({
      name: 'database_pool_connections',
      help: 'Connections in the pool',
      labelNames: ['state'],
      registers,
    }),
    poolWaiting: new Gauge({ name: 'database_pool_waiting', help: 'Work that waits for a connection', registers }),
    databaseRetries: new Counter({ name: 'database_retries_total', help: 'Transactions that were retried', registers }),
    outboxOldest: new Gauge({ name: 'outbox_oldest_unpublished_seconds', help: 'Age of the oldest unpublished event', registers }),
    outboxWaiting: new Gauge({
      name: 'outbox_unpublished_events',
      help: 'Unpublished events; 10,000 means that or more',
      registers,
    }),
    outboxPublished: new Counter({
      name: 'outbox_published_total',
      help: 'Events handed to the transport',
      labelNames: ['topic'],
      registers,
    }),
    consumerTries: new Counter({
      name: 'consumer_tries_total',
      help: 'Deliveries of events to consumers',
      labelNames: ['topic', 'outcome'],
      registers,
    }),
    consumerLag: new Gauge({
      name: 'consumer_lag_events',
      help: 'Events of a partition that are not handled yet, as of the last fetch',
      labelNames: ['topic', 'partition'],
      registers,
    }),
    consumerLastPoll: new Gauge({
      name: 'consumer_last_poll_timestamp_seconds',
      help: 'Unix time of the last response of the broker; absent without a broker',
      labelNames: ['kind'],
      registers,
    }),
    blockedEvents: new Gauge({
      name: 'consumer_blocked_events',
      help: 'Events that are retried because a dependency is unavailable or their handler takes too long',
      labelNames: ['topic'],
      registers,
    }),
    blockedSince: new Gauge({
      name: 'consumer_blocked_since_timestamp_seconds',
      help: 'Unix time at which the oldest blocked event first failed; absent when none is blocked',
      labelNames: ['topic'],
      registers,
    }),
    lastGap: new Gauge({
      name: 'consumer_last_gap_timestamp_seconds',
      help: 'Unix time at which events were last found to be deleted before they were handled; absent when none have been found since the start',
      labelNames: ['topic'],
      registers,
    }),
    deadLetters: new Counter({ name: 'dead_letters_total', help: 'Events that became dead letters', labelNames: ['topic'], registers }),
    deadLettersWaiting: new Gauge({
      name: 'dead_letters_waiting',
      help: 'Dead letters that have not been replayed; 10,000 means that or more',
      registers,
    }),
    jobs: new Gauge({
      name: 'jobs_by_state',
      help: 'Jobs that are not done; 10,000 in a state means that or more',
      labelNames: ['job_name', 'state'],
      registers,
    }),
    jobsOldestDue: new Gauge({
      name: 'jobs_oldest_due_seconds',
      help: 'Seconds by which the oldest pending job is overdue',
      labelNames: ['job_name'],
      registers,
    }),
    jobRuns: new Counter({
      name: 'job_runs_total',
      help: 'Runs of jobs by outcome',
      labelNames: ['job_name', 'outcome'],
      registers,
    }),
    purgedRows: new Counter({ name: 'purged_rows_total', help: 'Expired rows that were deleted', labelNames: ['table'], registers }),
    purgePasses: new Counter({
      name: 'purge_passes_total',
      help: 'Purge runs over a table; only the leader runs them',
      labelNames: ['table', 'column', 'outcome'],
      registers,
    }),
  }
}

export type Metrics = ReturnType<typeof createMetrics>
