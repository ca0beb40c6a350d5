import {
  type Context,
  type Span as OtelSpan,
  type Tracer as OtelTracer,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind as SpanKinds,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import { parseTraceParent } from '@opentelemetry/core'
import type { Attributes, Span, SpanKind, Tracer } from '../observability/index.js'

const kinds = {
  internal: SpanKinds.INTERNAL,
  server: SpanKinds.SERVER,
  client: SpanKinds.CLIENT,
  producer: SpanKinds.PRODUCER,
  consumer: SpanKinds.CONSUMER,
} satisfies Record<SpanKind, SpanKinds>

/** A Tracer over one of OpenTelemetry. @param parentDecides whether a span with an unsampled parent is not recorded, without asking the sampler */
export const tracerOn = (tracer: OtelTracer, parentDecides: boolean): Tracer => ({
  begin(name, kind, { parent, link }) {
    const remote = contextOf(parent)
    if (remote && parentDecides && !isSampled(remote)) return { traceparent: parent }
    const around = remote ? trace.setSpanContext(ROOT_CONTEXT, remote) : ROOT_CONTEXT
    const span = tracer.startSpan(name, { kind: kinds[kind] }, around)
    if (!span.isRecording()) return { traceparent: traceparentOf(span.spanContext()) }
    const linked = contextOf(link)
    if (linked) span.addLink({ context: linked })
    const recorded = recordedSpan(tracer, span)
    return { traceparent: recorded.traceparent, span: recorded }
  },
})

function recordedSpan(tracer: OtelTracer, span: OtelSpan): Span {
  let inside: Context | undefined
  return {
    traceparent: traceparentOf(span.spanContext()),
    child(name, kind, attributes: Attributes = {}) {
      inside ??= trace.setSpan(ROOT_CONTEXT, span)
      return recordedSpan(tracer, tracer.startSpan(name, { kind: kinds[kind], attributes: { ...attributes } }, inside))
    },
    describe: (attributes) => void span.setAttributes({ ...attributes }),
    end(errorType) {
      if (errorType !== undefined) span.setAttribute('error.type', errorType).setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    },
  }
}

function contextOf(traceparent: string | undefined): SpanContext | undefined {
  const parsed = traceparent === undefined ? null : parseTraceParent(traceparent)
  return parsed ? { ...parsed, isRemote: true } : undefined
}

const isSampled = ({ traceFlags }: SpanContext) => (traceFlags & TraceFlags.SAMPLED) !== 0

const traceparentOf = (context: SpanContext) => `00-${context.traceId}-${context.spanId}-${isSampled(context) ? '01' : '00'}`
