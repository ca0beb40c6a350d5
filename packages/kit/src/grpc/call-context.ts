import { Metadata } from '@grpc/grpc-js'
import { type RequestContext, requestIdFrom } from '../observability/index.js'
import type { TraceContext } from '../tracing/index.js'

const requestId = 'x-request-id'
const traceparent = 'traceparent'

/**
 * What a call brings along of the request that it belongs to. Its deadline is the call's own.
 * @param begin gives it its place in the trace that the caller names
 */
export function contextOf(
  call: { metadata: Metadata; getDeadline(): Date | number },
  begin: (parent: string | undefined) => TraceContext,
): RequestContext {
  const text = (key: string) => call.metadata.get(key)[0]?.toString()
  return { requestId: requestIdFrom(text(requestId)), deadline: Number(call.getDeadline()), ...begin(text(traceparent)) }
}

/** What a call takes along. */
export function metadataOf(context: RequestContext | undefined, parent = context?.traceparent): Metadata {
  const metadata = new Metadata()
  if (context) metadata.set(requestId, context.requestId)
  if (parent) metadata.set(traceparent, parent)
  return metadata
}
