import protobuf from 'protobufjs'

/** The part of OTLP 1.x that tests read (opentelemetry-proto, `trace_service.proto` and its imports), by field numbers. */
const contract = `
  syntax = "proto3";
  message ExportTraceServiceRequest { repeated ResourceSpans resource_spans = 1; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
  message Resource { repeated KeyValue attributes = 1; }
  message ScopeSpans { repeated Span spans = 2; }
  message Span {
    bytes trace_id = 1;
    bytes span_id = 2;
    bytes parent_span_id = 4;
    string name = 5;
    uint32 kind = 6;
    repeated KeyValue attributes = 9;
    repeated Event events = 11;
    repeated Link links = 13;
    Status status = 15;
  }
  message Event { string name = 2; repeated KeyValue attributes = 3; }
  message Link { bytes trace_id = 1; bytes span_id = 2; }
  message Status { string message = 2; uint32 code = 3; }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message AnyValue { oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; } }`

const request = protobuf.parse(contract).root.lookupType('ExportTraceServiceRequest')

type AnyValue = Record<string, string | number | boolean>
interface KeyValue {
  key: string
  value: AnyValue
}
interface WireSpan {
  traceId: Buffer
  spanId: Buffer
  parentSpanId: Buffer
  name: string
  kind: number
  attributes: KeyValue[]
  events: { name: string; attributes: KeyValue[] }[]
  links: { traceId: Buffer; spanId: Buffer }[]
  status: { code: number; message: string } | null
}
interface WireRequest {
  resourceSpans: { resource: { attributes: KeyValue[] }; scopeSpans: { spans: WireSpan[] }[] }[]
}

const kinds = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'] as const

/** A span that a receiver of OTLP got. */
export interface ReceivedSpan {
  service: string
  traceId: string
  spanId: string
  /** Empty for the root span of a trace. */
  parentId: string
  name: string
  kind: (typeof kinds)[number]
  attributes: AnyValue
  links: { traceId: string; spanId: string }[]
  failed: boolean
  /** All of its content as text, to search for what it must not contain. */
  text: string
}

/** Decodes the spans of a request to `/v1/traces`. */
export function decodeSpans(body: Uint8Array): ReceivedSpan[] {
  const decoded = request.toObject(request.decode(body), { longs: Number, arrays: true }) as WireRequest
  return decoded.resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(attributesOf(resource.attributes)['service.name'])
    return scopeSpans.flatMap(({ spans }) => spans.map((span) => received(service, span)))
  })
}

const hex = (bytes: Uint8Array = Buffer.alloc(0)) => Buffer.from(bytes).toString('hex')

const received = (service: string, span: WireSpan): ReceivedSpan => ({
  service,
  traceId: hex(span.traceId),
  spanId: hex(span.spanId),
  parentId: hex(span.parentSpanId),
  name: span.name,
  kind: kinds[span.kind] ?? 'unspecified',
  attributes: attributesOf(span.attributes),
  links: span.links.map(({ traceId, spanId }) => ({ traceId: hex(traceId), spanId: hex(spanId) })),
  failed: span.status?.code === 2,
  text: JSON.stringify([span.name, span.attributes, span.events, span.status]),
})

const attributesOf = (attributes: KeyValue[]): AnyValue =>
  Object.fromEntries(attributes.flatMap(({ key, value }) => Object.values(value).map((one) => [key, one])))
