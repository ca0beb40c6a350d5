export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer'

/** Attributes of a span, named by OpenTelemetry's semantic conventions. Values are names, codes and patterns, never data of a request. */
export type Attributes = Readonly<Record<string, string | number>>

/** A recorded span. Where a trace is not sampled, there is no Span. */
export interface Span {
  /** The `traceparent` (W3C Trace Context) that makes another span a child of this one. */
  readonly traceparent: string
  /** Starts a child span. */
  child(name: string, kind: SpanKind, attributes?: Attributes): Span
  describe(attributes: Attributes): void
  /** Ends the span. @param errorType marks it as failed, with this code; see `errorTypeOf` */
  end(errorType?: string): void
}

/** The position of running work in its trace. */
export interface TraceContext {
  /** For the next process (W3C Trace Context). Without tracing it is the one that was received. */
  readonly traceparent?: string | undefined
  /** The running span; undefined where the trace is not recorded. */
  readonly span?: Span | undefined
}

/** The origin of a span: each field is a `traceparent`; a malformed one is ignored. */
export interface Origin {
  /** The parent span. */
  readonly parent?: string | undefined
  /** A span of another trace, to which the new one only has a link. */
  readonly link?: string | undefined
}

/** Starts the first span of a service in a trace. */
export interface Tracer {
  begin(name: string, kind: SpanKind, origin: Origin): TraceContext
}
