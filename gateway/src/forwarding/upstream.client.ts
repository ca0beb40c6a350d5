import { Readable } from 'node:stream'
import { runningSpan } from '@caseway/kit/tracing'
import type { Dispatcher } from 'undici'
import { UpstreamTooSlow } from '../errors.js'
import { AnswerHandler, type Done } from './answer.js'
import { type Copy, createCopies } from './copies.client.js'
import type { LookupAll } from './lookup.js'
import { beginSpan, endSpan, within } from './request-span.js'

type Options = Dispatcher.DispatchOptions

/** A service behind the gateway, with connections of its own: no other waits when it is slow. */
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
  /** After which a connection takes no more requests, in milliseconds. A load balancer chooses a copy for each connection, and a new copy would get none. */
  connectionMs: number
  /** Finds the addresses of a name. By default the resolver of the operating system does. */
  lookupAll?: LookupAll
}

/** @param urls of its copies */
export function createUpstream(urls: readonly string[], options: UpstreamOptions): Upstream {
  const { timeoutMs, pauseMs, connections, connectionMs, lookupAll } = options
  // undici looks at its own clock only twice a second, and not at all while a request waits for a connection.
  const connect = { timeout: 2 * timeoutMs }
  const copies = createCopies(urls, { connections: connections ?? null, clientTtl: connectionMs, headersTimeout: 0, connect }, lookupAll)

  return {
    url: urls[0] as string,
    request(options, done) {
      const bounded = { ...options, bodyTimeout: pauseMs }
      const trace = runningSpan()
      let handler: AnswerHandler
      const responseTimer = waitFor(options.body, timeoutMs, () => handler.abort(new UpstreamTooSlow()))
      const send = (tried: ReadonlySet<Copy>) => {
        // The only copy is tried a second time: a connection that was kept open may be gone by the time that it is used.
        const copy = copies.next(tried) ?? (copies.next(none) as Copy)
        const span = trace && beginSpan(trace, copy, options.method)
        handler = new AnswerHandler(responseTimer.end, (error, answer) => {
          if (span) endSpan(span, error, answer)
          if (error && !tried.has(copy) && mayRepeat(options, error)) return send(new Set(tried).add(copy))
          responseTimer.end()
          done(error, answer)
        })
        copy.pool.dispatch(span ? within(span, bounded) : bounded, handler)
      }
      send(none)
    },
    close: copies.close,
  }
}

const none: ReadonlySet<Copy> = new Set()

/** Calls `overdue` when the service has let `timeoutMs` pass. The time that the caller takes for their body is not the service's. */
function waitFor(body: Options['body'], timeoutMs: number, overdue: () => void) {
  const timer = setTimeout(() => {
    if (isAwaited(body)) timer.refresh()
    else overdue()
  }, timeoutMs)
  if (body instanceof Readable) {
    const again = () => void timer.refresh()
    body.once('end', again).on('pause', again)
  }
  return { end: () => clearTimeout(timer) }
}

const isAwaited = (body: Options['body']) => body instanceof Readable && body.readableFlowing === true && !body.readableEnded

/** No connection was made, so nothing was sent. */
const unsent = ['ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT']
const lost = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']

/** What changes nothing may be repeated, and what was never sent. A body is gone with the first try. */
function mayRepeat({ method, body }: Options, { code = '' }: Error & { code?: string }): boolean {
  if (body instanceof Readable) return false
  return unsent.includes(code) || (lost.includes(code) && (method === 'GET' || method === 'HEAD'))
}
