const wellFormed = /^[\da-f]{2}-([\da-f]{32})-[\da-f]{16}-[\da-f]{2}$/

/** The trace id in a `traceparent` (W3C Trace Context 3.2); undefined where that is missing or malformed. */
export const traceIdOf = (traceparent: string | undefined): string | undefined => wellFormed.exec(traceparent ?? '')?.[1]
