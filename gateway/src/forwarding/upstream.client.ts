import { Readable } from 'node:stream'
import { runningSpan } from '@caseway/kit/tracing'
import type { Dispatcher } from 'undici'
import { UpstreamTooSlow } from '../errors.js'
import { type AnswerCallback, AnswerHandler } from './answer.js'
import { type Copy, createCopies } from './copies.client.js'
import type { LookupAll } from './lookup.js'
import { beginSpan, endSpan, within } from './request-span.js'

type Options = Dispatcher.DispatchOptions

/** A service behind the gateway, with a connection pool of its own, so that a slow service does not delay others. */
export interface Upstream {
  readonly url: string
  /** Calls `onAnswer` with UpstreamTooSlow when the answer does not begin in time. */
  request(options: Options, onAnswer: AnswerCallback): void
  close(): Promise<void>
}

export interface UpstreamOptions {
  /** Timeout until the answer begins, in milliseconds. */
  timeoutMs: number
  /** The longest pause within an answer, in milliseconds; 0, no limit, for live streams. */
  pauseMs: number
  /** Maximum number of connections; unlimited by default. */
  connections?: number
  /**
   * Age at which a connection takes no more requests, in milliseconds: a load balancer chooses a copy per connection, so that a new copy would never
   * get one.
   */
  connectionMs: number
  /** Resolves the addresses of a name. Default: the resolver of the operating system. */
  lookupAll?: LookupAll
}

/** @param urls base URLs of the copies of the service */
export function createUpstream(urls: readonly string[], options: UpstreamOptions): Upstream {
  const { timeoutMs, pauseMs, connections, connectionMs, lookupAll } = options
  // undici checks its timeouts only twice a second, and not while a request waits for a connection; `waitFor` is the timeout.
  const connect = { timeout: 2 * timeoutMs }
  const copies = createCopies(urls, { connections: connections ?? null, clientTtl: connectionMs, headersTimeout: 0, connect }, lookupAll)

  return {
    url: urls[0] as string,
    request(options, onAnswer) {
      const bounded = { ...options, bodyTimeout: pauseMs }
      const trace = runningSpan()
      let handler: AnswerHandler
      const responseTimer = waitFor(options.body, timeoutMs, () => handler.abort(new UpstreamTooSlow()))
      const send = (tried: ReadonlySet<Copy>) => {
        // A single copy is tried twice, because a connection that was kept alive may have been closed.
        const copy = copies.next(tried) ?? (copies.next(none) as Copy)
        const span = trace && beginSpan(trace, copy, options.method)
        handler = new AnswerHandler(responseTimer.end, (error, answer) => {
          if (span) endSpan(span, error, answer)
          if (error && !tried.has(copy) && mayRepeat(options, error)) return send(new Set(tried).add(copy))
          responseTimer.end()
          onAnswer(error, answer)
        })
        copy.pool.dispatch(span ? within(span, bounded) : bounded, handler)
      }
      send(none)
    },
    close: copies.close,
  }
}

const none: ReadonlySet<Copy> = new Set()

/** Calls `overdue` after `timeoutMs` in which the service was waited for. Time in which the caller is still sending the body does not count. */
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

/** Errors before a connection was made, so nothing was sent. */
const unsent = ['ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT']
const lost = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']

/** A request may be repeated if it was never sent, or if its method is safe; never with a streamed body, which is consumed by the first attempt. */
function mayRepeat({ method, body }: Options, { code = '' }: Error & { code?: string }): boolean {
  if (body instanceof Readable) return false
  return unsent.includes(code) || (lost.includes(code) && (method === 'GET' || method === 'HEAD'))
}
