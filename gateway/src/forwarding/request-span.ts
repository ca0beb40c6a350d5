import { errorTypeOf, type Span } from '@caseway/kit/tracing'
import type { Dispatcher } from 'undici'
import type { Copy } from './copies.client.js'

type Done = (error: Error | null, answer: Dispatcher.ResponseData) => void

/** Asks a copy as a step of the trace, which ends when the answer begins (OpenTelemetry, Semantic Conventions for HTTP). */
export function tracedRequest(parent: Span, { pool, url }: Copy, options: Dispatcher.RequestOptions, done: Done): void {
  const span = parent.child(options.method, 'client', {
    'http.request.method': options.method,
    'server.address': url.hostname,
    'server.port': Number(url.port || (url.protocol === 'https:' ? 443 : 80)),
  })
  const headers = { ...(options.headers as Record<string, string>), traceparent: span.traceparent }
  pool.request({ ...options, headers }, (error, answer) => {
    if (error) span.end(errorTypeOf(error))
    else {
      const { statusCode } = answer
      span.describe({ 'http.response.status_code': statusCode })
      span.end(statusCode >= 400 ? String(statusCode) : undefined)
    }
    done(error, answer)
  })
}
