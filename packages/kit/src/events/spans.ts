import { errorTypeOf, type Span, type TraceContext, type Tracer } from '../tracing/index.js'
import type { EventRecord } from './transport.js'

/** Steps of a trace by the semantic conventions for messaging. */
const attributesOf = ({ topic, id }: EventRecord, system: string, operation: 'send' | 'process') => ({
  'messaging.system.name': system,
  'messaging.operation.name': operation,
  'messaging.operation.type': operation,
  'messaging.destination.name': topic,
  'messaging.message.id': id,
})

/**
 * Begins the sending of records. Each record whose writer's trace is recorded gets a span below the writer's, and carries the `traceparent` of that span
 * from then on. Events that no request has caused have no trace.
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

/** The consumer group of which spans tell. */
export interface Handler {
  readonly tracer: Tracer | undefined
  readonly system: string
  readonly group: string
}

/** Begins one try to take a record, below the step that sent it. */
export function traceHandling({ tracer, system, group }: Handler, record: EventRecord): TraceContext {
  const { traceparent } = record.headers
  if (!tracer || traceparent === undefined) return { traceparent }
  const begun = tracer.begin(`process ${record.topic}`, 'consumer', { parent: traceparent })
  begun.span?.describe({ ...attributesOf(record, system, 'process'), 'messaging.consumer.group.name': group })
  return begun
}
