import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { decodeSpans, type ReceivedSpan } from './otlp.js'

/** A fake collector: a receiver of OTLP over HTTP. */
export interface TraceReceiver {
  /** The value of `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly url: string
  /** All received spans. */
  readonly spans: ReceivedSpan[]
  stop(): Promise<void>
}

export async function traceReceiver(): Promise<TraceReceiver> {
  const spans: ReceivedSpan[] = []
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    if (request.url !== '/v1/traces' || request.headers['content-type'] !== 'application/x-protobuf') return response.writeHead(404).end()
    spans.push(...decodeSpans(request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body))
    response.setHeader('content-type', 'application/x-protobuf').end()
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    async stop() {
      const closed = new Promise((done) => server.close(done))
      server.closeAllConnections()
      await closed
    },
  }
}

/** The spans from the root of the trace to `span`; undefined while one of them has not arrived. */
export function wayTo(span: ReceivedSpan, spans: readonly ReceivedSpan[]): ReceivedSpan[] | undefined {
  if (span.parentId === '') return [span]
  const parent = spans.find(({ traceId, spanId }) => traceId === span.traceId && spanId === span.parentId)
  const way = parent && wayTo(parent, spans)
  return way && [...way, span]
}
