import { Metadata } from '@grpc/grpc-js'
import { type RequestContext, requestIdFrom } from '../observability/index.js'
import type { TraceContext } from '../tracing/index.js'

const requestId = 'x-request-id'
const traceparent = 'traceparent'

/**
 * The request context of a call that was received: the request id and trace from its metadata, and its own deadline.
 * @param begin begins the span of the call, below the `traceparent` that the caller has sent
 */
export function contextOf(
  call: { metadata: Metadata; getDeadline(): Date | number },
  begin: (parent: string | undefined) => TraceContext,
): RequestContext {
  const text = (key: string) => call.metadata.get(key)[0]?.toString()
  return { requestId: requestIdFrom(text(requestId)), deadline: Number(call.getDeadline()), ...begin(text(traceparent)) }
}

/** The metadata of a call that is sent: the request id, and the `traceparent` of its span. */
export function metadataOf(context: RequestContext | undefined, parent = context?.traceparent): Metadata {
  const metadata = new Metadata()
  if (context) metadata.set(requestId, context.requestId)
  if (parent) metadata.set(traceparent, parent)
  return metadata
}
