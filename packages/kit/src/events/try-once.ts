import { requestContext } from '../observability/index.js'
import { endWith, type TraceContext } from '../tracing/index.js'
import type { Consumer } from './consumer.js'
import { type Taker, traceTaking } from './spans.js'
import type { EventRecord } from './transport.js'
import { unlessAborted } from './waiting.js'

const defaultTimeoutMs = 10_000

/** The handler runs like a request: what it calls and emits carries the event's trace, and has a deadline. */
export function tryOnce(consumer: Consumer, record: EventRecord, timeoutMs = defaultTimeoutMs, taker?: Taker): Promise<void> {
  const { traceparent, span }: TraceContext = taker ? traceTaking(taker, record) : { traceparent: record.headers.traceparent }
  const context = { requestId: record.id, deadline: Date.now() + timeoutMs, traceparent, span }
  const taken = unlessAborted(
    AbortSignal.timeout(timeoutMs),
    requestContext.run(context, () => consumer.take(record)),
  )
  return span ? endWith(span, taken) : taken
}
