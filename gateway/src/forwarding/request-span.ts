import { errorTypeOf, type Span } from '@caseway/kit/tracing'
import type { Dispatcher } from 'undici'
import type { Answer } from './answer.js'
import type { Copy } from './copies.client.js'

type Options = Dispatcher.DispatchOptions

/** Begins the client span of a request to a copy (OpenTelemetry semantic conventions for HTTP). */
export const beginSpan = (parent: Span, { url }: Copy, method: string): Span =>
  parent.child(method, 'client', {
    'http.request.method': method,
    'server.address': url.hostname,
    'server.port': Number(url.port || (url.protocol === 'https:' ? 443 : 80)),
  })

/** The options of a request with the `traceparent` of the span. */
export const within = ({ traceparent }: Span, options: Options): Options => ({
  ...options,
  headers: { ...(options.headers as Record<string, string>), traceparent },
})

export function endSpan(span: Span, error: Error | null, answer: Answer | undefined): void {
  if (answer) span.describe({ 'http.response.status_code': answer.statusCode })
  span.end(answer ? failureOf(answer) : errorTypeOf(error))
}

const failureOf = ({ statusCode }: Answer) => (statusCode >= 400 ? String(statusCode) : undefined)
