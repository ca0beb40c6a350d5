import { requestContext } from '../observability/index.js'
import { endWith, type TraceContext } from '../tracing/index.js'
import type { Consumer } from './consumer-options.js'
import { type Handler, traceHandling } from './spans.js'
import type { EventRecord } from './transport.js'

const defaultTimeoutMs = 10_000

/** A try that took longer than it may, and then failed. */
export class LateFailure extends Error {
  override readonly name = 'LateFailure'
}

export interface TryOptions {
  /** In milliseconds. Default 10,000. */
  timeoutMs?: number
  /** Called when the time is up and the handler still runs. */
  onLate?: () => void
  handler?: Handler
}

/**
 * Runs the handler like a request: what it calls and emits carries the event's trace, and has a deadline. Nobody can end a handler from
 * outside, so that this waits for its end also when the time is up: a second run never begins beside the first.
 * @throws LateFailure when it fails after its time; otherwise what it throws
 */
export async function tryOnce(
  consumer: Consumer,
  record: EventRecord,
  { timeoutMs = defaultTimeoutMs, onLate, handler }: TryOptions = {},
): Promise<void> {
  const { traceparent, span }: TraceContext = handler ? traceHandling(handler, record) : { traceparent: record.headers.traceparent }
  const context = { requestId: record.id, deadline: Date.now() + timeoutMs, traceparent, span }
  let late = false
  const timer = setTimeout(() => {
    late = true
    onLate?.()
  }, timeoutMs).unref()
  try {
    const handled = requestContext.run(context, () => consumer.handle(record))
    await (span ? endWith(span, handled) : handled)
  } catch (cause) {
    throw late ? new LateFailure(`The handler failed after more than ${timeoutMs} ms.`, { cause }) : cause
  } finally {
    clearTimeout(timer)
  }
}
