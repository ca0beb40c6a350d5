const wellFormed = /^[\da-f]{2}-([\da-f]{32})-[\da-f]{16}-[\da-f]{2}$/

/** The trace that a `traceparent` belongs to (W3C Trace Context 3.2), undefined when it is none. */
export const traceIdOf = (traceparent: string | undefined): string | undefined => wellFormed.exec(traceparent ?? '')?.[1]
