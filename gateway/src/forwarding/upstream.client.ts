import { Readable } from 'node:stream'
import { runningSpan } from '@caseway/kit/tracing'
import type { Dispatcher } from 'undici'
import { UpstreamTooSlow } from '../errors.js'
import { type Copy, createCopies } from './copies.client.js'
import { tracedRequest } from './request-span.js'

type Options = Dispatcher.RequestOptions
type Done = (error: Error | null, answer: Dispatcher.ResponseData) => void

/** A service behind the gateway, with connections of its own: nobody else waits when it is slow. */
export interface Upstream {
  readonly url: string
  /** Calls back with UpstreamTooSlow when the answer does not begin in time. */
  request(options: Options, done: Done): void
  close(): Promise<void>
}

export interface UpstreamOptions {
  /** In which the answer must begin, in milliseconds. */
  timeoutMs: number
  /** The longest pause inside of an answer, in milliseconds; 0 for streams, which may be silent. */
  pauseMs: number
  /** Without a limit when it is left out. */
  connections?: number
}

/** @param urls of its copies */
export function createUpstream(urls: readonly string[], { timeoutMs, pauseMs, connections }: UpstreamOptions): Upstream {
  // undici looks at its own clock only twice a second, and not at all while a request waits for a connection.
  const copies = createCopies(urls, { connections: connections ?? null, headersTimeout: 0, connect: { timeout: 2 * timeoutMs } })

  const send = (options: Options, tried: ReadonlySet<Copy>, done: Done, trace = runningSpan()): void => {
    // The only copy is tried a second time: a connection that was kept open may be gone by the time that it is used.
    const copy = copies.next(tried) ?? copies.next(new Set())
    if (!copy) return
    const answered: Done = (error, answer) => {
      const next = new Set(tried).add(copy)
      if (error && next.size > tried.size && mayRepeat(options, error)) send(options, next, done, trace)
      else done(error, answer)
    }
    if (trace) tracedRequest(trace, copy, options, answered)
    else copy.pool.request(options, answered)
  }

  return {
    url: urls[0] as string,
    request(options, done) {
      const patience = waitFor(options.body, timeoutMs)
      const bounded = { ...options, bodyTimeout: pauseMs, signal: patience.signal }
      send(bounded, new Set(), (error, answer) => {
        patience.end()
        done(error, answer)
      })
    },
    close: copies.close,
  }
}

/** A signal that is given when the service has let `timeoutMs` pass. The time that the caller takes for his body is not the service's. */
function waitFor(body: Options['body'], timeoutMs: number) {
  const overdue = new AbortController()
  const timer = setTimeout(() => {
    if (isAwaited(body)) timer.refresh()
    else overdue.abort(new UpstreamTooSlow())
  }, timeoutMs)
  const again = () => timer.refresh()
  if (body instanceof Readable) body.once('end', again).on('pause', again)
  return { signal: overdue.signal, end: () => clearTimeout(timer) }
}

const isAwaited = (body: Options['body']) => body instanceof Readable && body.readableFlowing === true && !body.readableEnded

const lost = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']

/** What changes nothing may be repeated, and what was never sent. A body is gone with the first try. */
function mayRepeat({ method, body }: Options, { code = '' }: Error & { code?: string }): boolean {
  if (body instanceof Readable) return false
  return code === 'ECONNREFUSED' || (lost.includes(code) && (method === 'GET' || method === 'HEAD'))
}
