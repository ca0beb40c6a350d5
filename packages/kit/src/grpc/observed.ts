import { type handleUnaryCall, type MethodDefinition, type ServiceError, type StatusObject, status } from '@grpc/grpc-js'
import { type Logger, type Metrics, requestContext } from '../observability/index.js'
import { tracerOf } from '../tracing/index.js'
import { contextOf } from './call-context.js'
import { endServerSpan, serverTrace } from './spans.js'

type Failure = Partial<ServiceError> | ServiceError | Partial<StatusObject> | null

/** Wraps `handler`: runs it with the request context of the call, records its duration and status in metrics and trace, and logs failures. */
export function observed<Request, Response>(
  { path }: MethodDefinition<Request, Response>,
  handler: handleUnaryCall<Request, Response>,
  { log, metrics }: { log: Logger; metrics: Metrics },
): handleUnaryCall<Request, Response> {
  const tracer = tracerOf(metrics.service)
  const begin = (traceparent: string | undefined) => (tracer ? serverTrace(tracer, path, traceparent) : { traceparent })
  return (call, callback) => {
    const done = metrics.grpcServerDuration.startTimer({ method: path })
    const context = contextOf(call, begin)
    requestContext.run(context, () =>
      handler(call, (failure, ...answer) => {
        const code = failure ? (failure.code ?? status.UNKNOWN) : status.OK
        done()
        metrics.grpcServerCalls.inc({ method: path, code: status[code] })
        report(log, path, code, failure)
        if (context.span) endServerSpan(context.span, code)
        callback(failure, ...answer)
      }),
    )
  }
}

function report(log: Logger, method: string, code: status, failure: Failure): void {
  const cause = (failure as { cause?: unknown } | null)?.cause
  if (code === status.INTERNAL || code === status.UNKNOWN) log.error({ err: cause ?? failure, method }, 'a call failed')
  if (code === status.UNAVAILABLE) log.warn({ err: cause, method }, 'a call could not be served')
}
