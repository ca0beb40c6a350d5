export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer'

/** By the names of OpenTelemetry's semantic conventions. Names, codes and patterns only: no value of a request. */
export type Attributes = Readonly<Record<string, string | number>>

/** A step of a trace that is recorded; of one that is not, there is none. */
export interface Span {
  /** Its place in the trace, as it is passed to the next step (W3C Trace Context, `traceparent`). */
  readonly traceparent: string
  /** Begins a step of this one. */
  child(name: string, kind: SpanKind, attributes?: Attributes): Span
  describe(attributes: Attributes): void
  /** @param errorType says that it failed, and by which code; see `errorTypeOf` */
  end(errorType?: string): void
}

/** Where a piece of work stands in its trace. */
export interface TraceContext {
  /** W3C Trace Context, for the next process. Without tracing it is the one that came in. */
  readonly traceparent?: string | undefined
  /** The step that is at work, while the trace is recorded. */
  readonly span?: Span | undefined
}

/** Where a trace comes from, as a `traceparent` each; one that is malformed counts as none. */
export interface Origin {
  /** Of the step that this one belongs to. Whether it is recorded decides for this one, too. */
  readonly parent?: string | undefined
  /** Of another trace that is only pointed at. */
  readonly link?: string | undefined
}

/** Begins what one service does of a trace. */
export interface Tracer {
  begin(name: string, kind: SpanKind, origin: Origin): TraceContext
}
