import { Metadata } from '@grpc/grpc-js'
import { type RequestContext, requestIdFrom } from '../observability/index.js'

const requestId = 'x-request-id'
const traceparent = 'traceparent'

/** What a call brings along of the request that it belongs to. Its deadline is the call's own. */
export function contextOf(call: { metadata: Metadata; getDeadline(): Date | number }): RequestContext {
  const text = (key: string) => call.metadata.get(key)[0]?.toString()
  return { requestId: requestIdFrom(text(requestId)), deadline: Number(call.getDeadline()), traceparent: text(traceparent) }
}

/** What a call takes along. */
export function metadataOf(context: RequestContext | undefined): Metadata {
  const metadata = new Metadata()
  if (context) metadata.set(requestId, context.requestId)
  if (context?.traceparent) metadata.set(traceparent, context.traceparent)
  return metadata
}
