import { errorTypeOf, type Span, type TraceContext, type Tracer } from '../tracing/index.js'
import type { EventRecord } from './transport.js'

/** The attributes of a span (OpenTelemetry, semantic conventions for messaging). */
const attributesOf = ({ topic, id }: EventRecord, system: string, operation: 'send' | 'process') => ({
  'messaging.system.name': system,
  'messaging.operation.name': operation,
  'messaging.operation.type': operation,
  'messaging.destination.name': topic,
  'messaging.message.id': id,
})

/**
 * Begins a span for each record whose trace is recorded, as a child of the span that emitted it.
 * @returns the records, with the `traceparent` of their new spans, and the functions that end the spans
 */
export function traceSending(tracer: Tracer | undefined, system: string, records: readonly EventRecord[]) {
  const spans: Span[] = []
  const traced = (record: EventRecord): EventRecord => {
    const { traceparent: parent } = record.headers
    const span = parent && tracer?.begin(`send ${record.topic}`, 'producer', { parent }).span
    if (!span) return record
    span.describe(attributesOf(record, system, 'send'))
    spans.push(span)
    return { ...record, headers: { ...record.headers, traceparent: span.traceparent } }
  }
  return {
    records: tracer ? records.map(traced) : records,
    sent: () => spans.forEach((span) => void span.end()),
    failed: (error: unknown) => spans.forEach((span) => void span.end(errorTypeOf(error))),
  }
}

/** The tracer of a consumer, and the names of its transport and its group in spans. */
export interface Handler {
  readonly tracer: Tracer | undefined
  readonly system: string
  readonly group: string
}

/** Begins the span of one try to handle a record, as a child of the span that sent it. */
export function traceHandling({ tracer, system, group }: Handler, record: EventRecord): TraceContext {
  const { traceparent } = record.headers
  if (!tracer || traceparent === undefined) return { traceparent }
  const begun = tracer.begin(`process ${record.topic}`, 'consumer', { parent: traceparent })
  begun.span?.describe({ ...attributesOf(record, system, 'process'), 'messaging.consumer.group.name': group })
  return begun
}
