import type { Attributes, Span, SpanKind } from '../observability/index.js'
import { requestContext } from '../observability/index.js'
import { errorTypeOf } from './error-type.js'

/** The description of a span that is to be started. */
export interface Step {
  readonly name: string
  readonly kind: SpanKind
  readonly attributes?: Attributes
}

/** The span of the running code; undefined where it is not recorded. */
export const runningSpan = (): Span | undefined => requestContext.get()?.span

/** Returns the result of `work`, and ends `span` when it settles, with its error where it rejects. */
export async function endWith<T>(span: Span, work: Promise<T>): Promise<T> {
  try {
    const result = await work
    span.end()
    return result
  } catch (error) {
    span.end(errorTypeOf(error))
    throw error
  }
}

/** Runs `work` in a child span of the running one. Where nothing is recorded, it only runs `work`. */
export function traced<T>({ name, kind, attributes }: Step, work: () => Promise<T>): Promise<T> {
  const context = requestContext.get()
  if (!context?.span) return work()
  const span = context.span.child(name, kind, attributes)
  return endWith(
    span,
    requestContext.run({ ...context, span, traceparent: span.traceparent }, async () => work()),
  )
}
