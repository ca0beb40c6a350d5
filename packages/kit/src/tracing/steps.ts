import type { Attributes, Span, SpanKind } from '../observability/index.js'
import { requestContext } from '../observability/index.js'
import { errorTypeOf } from './error-type.js'

/** What a step is called before it begins. */
export interface Step {
  readonly name: string
  readonly kind: SpanKind
  readonly attributes?: Attributes
}

/** The step of the running code; undefined when it is not recorded, and then nothing has to be made for it. */
export const runningSpan = (): Span | undefined => requestContext.get()?.span

/** Ends `span` with `work`, and with its error. */
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

/** Runs `work` as a step of its own, below which its own steps stand. Where nothing is recorded it is just run. */
export function traced<T>({ name, kind, attributes }: Step, work: () => Promise<T>): Promise<T> {
  const context = requestContext.get()
  if (!context?.span) return work()
  const span = context.span.child(name, kind, attributes)
  return endWith(
    span,
    requestContext.run({ ...context, span, traceparent: span.traceparent }, async () => work()),
  )
}
