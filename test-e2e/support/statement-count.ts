import { randomBytes } from 'node:crypto'
import { eventually, type HttpAnswer, type HttpClient, type TraceReceiver } from '@caseway/testing'

/** Sends a request (by default a GET) and returns its SQL statements in all services, from its trace. */
export async function statementsOf<Body>(
  { spans }: TraceReceiver,
  api: HttpClient,
  path: string,
  sent?: unknown,
): Promise<{ answer: HttpAnswer<Body>; statements: string[] }> {
  const ours = randomBytes(16).toString('hex')
  const headers = { traceparent: `00-${ours}-${randomBytes(8).toString('hex')}-01` }
  const answer = await (sent === undefined ? api.get<Body>(path, headers) : api.post<Body>(path, sent, headers))
  return eventually(
    () => {
      // The gateway begins a new trace, which links to the trace of the caller.
      const traceId = spans.find(({ links }) => links.some((link) => link.traceId === ours))?.traceId
      const trace = spans.filter((span) => span.traceId === traceId)
      // A span is exported when it ends, so that of the service comes after those of its statements.
      if (!trace.some(({ service, kind }) => service !== 'gateway' && kind === 'server')) throw new Error('The trace has not come.')
      return { answer, statements: trace.filter(({ attributes }) => attributes['db.system.name']).map(({ name }) => name) }
    },
    { timeoutMs: 10_000, everyMs: 20 },
  )
}
