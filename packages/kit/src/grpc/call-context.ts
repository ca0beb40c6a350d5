import { Metadata } from '@grpc/grpc-js'
import { type RequestContext, requestIdFrom } from '../observability/index.js'
import type { TraceContext } from '../tracing/index.js'

const requestId = 'x-request-id'
const traceparent = 'traceparent'

/**
 * The request context of a received call: the request id and trace from its metadata, and its deadline.
 * @param begin starts the span of the call, as a child of the `traceparent` that the caller has sent
 */
export function contextOf(
  call: { metadata: Metadata; getDeadline(): Date | number },
  begin: (parent: string | undefined) => TraceContext,
): RequestContext {
  const text = (key: string) => call.metadata.get(key)[0]?.toString()
  return { requestId: requestIdFrom(text(requestId)), deadline: Number(call.getDeadline()), ...begin(text(traceparent)) }
}

/** The metadata of an outgoing call: the request id, and the `traceparent` of its span. */
export function metadataOf(context: RequestContext | undefined, parent = context?.traceparent): Metadata {
  const metadata = new Metadata()
  if (context) metadata.set(requestId, context.requestId)
  if (parent) metadata.set(traceparent, parent)
  return metadata
}
