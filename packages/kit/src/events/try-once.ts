import { requestContext } from '../observability/index.js'
import { endWith, type TraceContext } from '../tracing/index.js'
import { type Handler, traceHandling } from './spans.js'
import type { EventRecords } from './transport.js'

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
 * Runs the handler of these records like a request: what it calls and emits carries the trace of the first of them that is recorded, and has a
 * deadline. Nobody can end a handler from outside, so that this waits for its end also when the time is up: a second run never begins beside
 * the first.
 * @throws LateFailure when it fails after its time; otherwise what it throws
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
