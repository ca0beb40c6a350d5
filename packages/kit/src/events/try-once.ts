import { requestContext } from '../observability/index.js'
import type { Consumer } from './consumer.js'
import type { EventRecord } from './transport.js'
import { unlessAborted } from './waiting.js'

const defaultTimeoutMs = 10_000

/** The handler runs like a request: what it calls and emits carries the event's trace, and has a deadline. */
export function tryOnce(consumer: Consumer, record: EventRecord, timeoutMs = defaultTimeoutMs): Promise<void> {
  const context = { requestId: record.id, deadline: Date.now() + timeoutMs, traceparent: record.headers.traceparent }
  return unlessAborted(
    AbortSignal.timeout(timeoutMs),
    requestContext.run(context, () => consumer.take(record)),
  )
}
