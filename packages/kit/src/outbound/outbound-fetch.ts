import { Agent, errors, request } from 'undici'
import { guardedConnect, type Resolve } from './guarded-connect.js'
import { OutboundError } from './outbound-error.js'

export interface OutboundOptions {
  /** Hosts that may have private addresses and may be called over plain HTTP, as `host` or `host:port`. */
  readonly privateHosts: readonly string[]
  /** Timeout of the whole request, from the resolution of the name to the last byte of the answer, in milliseconds. */
  readonly timeoutMs: number
  /** The maximum body of an answer, in bytes. Bodies are not decompressed. */
  readonly maxBytes: number
  /** Default the resolver of the system. */
  readonly resolve?: Resolve
}

export interface OutboundRequest {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | URLSearchParams
  /** Aborts the request, which then rejects with the reason of the signal. */
  readonly signal?: AbortSignal
}

/** The part of the standard `fetch` that libraries need. */
export interface OutboundFetch {
  (url: string | URL, request?: OutboundRequest): Promise<Response>
  /** Closes the kept-alive connections. */
  close(): Promise<void>
}

/** Statuses whose answers have no body (Fetch standard, null body status). */
const withoutBody = [101, 103, 204, 205, 304]

/**
 * Creates a `fetch` for hosts outside of the installation, which people may have named. It resolves a name once, connects over HTTPS to the checked addresses,
 * and returns redirects instead of following them. Its promise resolves when the whole answer was read, and rejects with OutboundError.
 */
export function outboundFetch({ privateHosts, timeoutMs, maxBytes, resolve }: OutboundOptions): OutboundFetch {
  const connect = guardedConnect({ privateHosts, timeoutMs, resolve })
  const dispatcher = new Agent({ connect, maxResponseSize: maxBytes })

  const send = async (url: URL, { method = 'GET', headers, body }: OutboundRequest, signal: AbortSignal) => {
    const sent = body === undefined ? null : String(body)
    const answer = await request(url, { dispatcher, method, headers, body: sent, signal })
    const read = await answer.body.arrayBuffer()
    const { statusCode: status } = answer
    return new Response(withoutBody.includes(status) ? null : read, { status, headers: headersOf(answer.headers) })
  }

  const outbound = async (target: string | URL, sent: OutboundRequest = {}) => {
    const url = requestable(target)
    const timeout = AbortSignal.timeout(timeoutMs)
    const signal = sent.signal ? AbortSignal.any([timeout, sent.signal]) : timeout
    return send(url, sent, signal).catch((error: unknown) => {
      sent.signal?.throwIfAborted()
      throw outboundErrorOf(error, timeout)
    })
  }
  return Object.assign(outbound, { close: () => dispatcher.close() })
}

/** @throws OutboundError `refused` for an invalid URL, one that is not HTTP, and one with credentials */
function requestable(target: string | URL): URL {
  const url = URL.canParse(String(target)) ? new URL(target) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password) throw new OutboundError('refused')
  return url
}

function outboundErrorOf(error: unknown, timeout: AbortSignal): OutboundError {
  if (error instanceof OutboundError) return error
  if (error instanceof errors.ResponseExceededMaxSizeError) return new OutboundError('too-large', error)
  return new OutboundError(timeout.aborted || error instanceof errors.ConnectTimeoutError ? 'timeout' : 'unreachable', error)
}

const headersOf = (headers: NodeJS.Dict<string | string[]>) =>
  new Headers(Object.entries(headers).flatMap(([name, value]) => [value ?? []].flat().map((one): [string, string] => [name, one])))
