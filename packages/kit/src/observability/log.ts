import { openSync } from 'node:fs'
import { type DestinationStream, type Logger, pino } from 'pino'
import { errorDescriber } from './describe-error.js'
import { requestContext } from './request-context.js'
import { traceIdOf } from './trace-id.js'

export type { Logger } from 'pino'

/** The levels of pino, the most severe first. */
export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

export interface LogOptions {
  service: string
  /** Default `info`. */
  level?: LogLevel
  /** Default standard output. */
  destination?: DestinationStream
}

const secrets = [
  'password',
  'current_password',
  'client_secret',
  'secret',
  'token',
  'access_token',
  'refresh_token',
  'authorization',
  'cookie',
]
const depths = ['', '*.', '*.*.']

/**
 * Creates the log of a service (pino): one JSON object per line. Lines that are written during a request have the ids of the request and its trace, the caller
 * and the office. Properties with known names of secrets are redacted down to the third level. Bodies must not be logged.
 */
export function createLog({ service, level = 'info', destination }: LogOptions): Logger {
  const describeError = errorDescriber()
  const options = {
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: depths.flatMap((depth) => secrets.map((name) => depth + name)), censor: '[redacted]' },
    serializers: { err: describeError, error: describeError },
    mixin: fieldsOfRequest,
  }
  return destination ? pino(options, destination) : pino(options)
}

/** Characters of log lines that are kept while the file cannot be written. */
const maxUnwritten = 1_048_576

/**
 * A log file, which is emptied. While it cannot be written, for instance on a full disk, its last lines wait, and further ones are dropped.
 * @throws Error of open(2)
 */
export function logFile(path: string): DestinationStream {
  const file = pino.destination({ dest: openSync(path, 'w', 0o600), sync: false, maxLength: maxUnwritten })
  // The next line is another attempt to write all.
  file.on('error', () => undefined)
  return file
}

function fieldsOfRequest(): Record<string, string> {
  const context = requestContext.get()
  if (!context) return {}
  const { requestId, traceparent, caller } = context
  const traceId = traceIdOf(traceparent)
  const ids = { requestId, ...(traceId !== undefined && { traceId }) }
  if (!caller) return ids
  return {
    ...ids,
    userId: String(caller.userId),
    role: caller.role,
    ...(caller.customerId !== null && { customerId: String(caller.customerId) }),
  }
}
