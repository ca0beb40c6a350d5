import { status } from '@grpc/grpc-js'
import type { Span, TraceContext, Tracer } from '../tracing/index.js'

/** The name of a method by the semantic conventions for RPC: its path without the leading slash, `caseway.auth.v1.PeopleService/GetUser`. */
const methodOf = (path: string) => path.slice(1)

const attributesOf = (path: string) => ({ 'rpc.system.name': 'grpc', 'rpc.method': methodOf(path) })

export const clientSpan = (parent: Span, path: string): Span => parent.child(methodOf(path), 'client', attributesOf(path))

/** Starts the server span of a received call, as a child of the caller's span. */
export function serverTrace(tracer: Tracer, path: string, parent: string | undefined): TraceContext {
  const begun = tracer.begin(methodOf(path), 'server', { parent })
  begun.span?.describe(attributesOf(path))
  return begun
}

/** The codes that count as failures of the server. */
const failures = [status.UNKNOWN, status.DEADLINE_EXCEEDED, status.UNIMPLEMENTED, status.INTERNAL, status.UNAVAILABLE, status.DATA_LOSS]

export function endServerSpan(span: Span, code: status): void {
  span.describe({ 'rpc.status_code': status[code] })
  span.end(failures.includes(code) ? status[code] : undefined)
}
