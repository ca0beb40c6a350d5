import { requestContext } from '../observability/index.js'
import { endWith, type TraceContext } from '../tracing/index.js'
import { type Handler, traceHandling } from './spans.js'
import type { EventRecords } from './transport.js'

const defaultTimeoutMs = 10_000

/** A try that failed after its deadline. */
export class LateFailure extends Error {
  override readonly name = 'LateFailure'
}

export interface TryOptions {
  /** The deadline, in milliseconds. Default 10,000. */
  timeoutMs?: number
  /** Called when the handler still runs at the deadline. */
  onLate?: () => void
  handler?: Handler
}

/**
 * Runs the handler of these records in a request context: its calls and events have a deadline, and carry the trace of the first record whose trace is
 * recorded. A handler cannot be interrupted, so this waits for its end even after the deadline: two tries never run at the same time.
 * @throws LateFailure when the handler fails after the deadline; before it, the error of the handler
 */
export async function tryOnce(
  handle: () => Promise<void>,
  records: EventRecords,
  { timeoutMs = defaultTimeoutMs, onLate, handler }: TryOptions = {},
): Promise<void> {
  const [{ id, headers }] = records
  const traces: TraceContext[] = handler ? records.map((record) => traceHandling(handler, record)) : []
  const { traceparent, span } = traces.find(({ span }) => span) ?? traces[0] ?? { traceparent: headers.traceparent }
  const context = { requestId: id, deadline: Date.now() + timeoutMs, traceparent, span }
  let late = false
  const timer = setTimeout(() => {
    late = true
    onLate?.()
  }, timeoutMs).unref()
  try {
    const handled = requestContext.run(context, handle)
    await traces.reduce((ended, { span }) => (span ? endWith(span, ended) : ended), handled)
  } catch (cause) {
    throw late ? new LateFailure(`The handler failed after more than ${timeoutMs} ms.`, { cause }) : cause
  } finally {
    clearTimeout(timer)
  }
}
