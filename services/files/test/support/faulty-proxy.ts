import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/**
 * How requests are treated: forwarded, answered with 500, left unanswered, delayed with 102 without end, refused, or with bodies that are cut off or
 * stall after so many bytes.
 */
export type Fault = 'none' | 'error' | 'silence' | 'delay' | 'refusal' | { readonly cutAfter: number } | { readonly silentAfter: number }

export interface FaultyProxy {
  readonly url: string
  /** Sets the fault for all later requests. */
  set(fault: Fault): void
  /** The number of requests whose answers have not ended. */
  pending(): number
  stop(): Promise<void>
}

/** Starts a proxy for an HTTP server on this machine. */
export async function faultyProxy(port: number): Promise<FaultyProxy> {
  let fault: Fault = 'none'
  let pending = 0
  const server = createServer((incoming, answer) => {
    pending++
    answer.once('close', () => pending--)
    if (fault === 'refusal') incoming.socket.destroy()
    else if (fault === 'error') fail(incoming, answer)
    else if (fault === 'delay') putOff(incoming, answer)
    else if (fault !== 'silence') pass(incoming, answer, fault === 'none' ? undefined : fault, port)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    set(next) {
      fault = next
    },
    pending: () => pending,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function fail(incoming: IncomingMessage, answer: ServerResponse): void {
  incoming.resume()
  answer.writeHead(500, { 'content-type': 'application/xml' }).end('<Error><Code>InternalError</Code><Message>Broken.</Message></Error>')
}

/** Sends 102 (Processing, RFC 2518 10.1) until the connection ends. */
function putOff(incoming: IncomingMessage, answer: ServerResponse): void {
  incoming.resume()
  const saying = setInterval(() => answer.writeProcessing(), 500)
  answer.once('close', () => clearInterval(saying))
}

type Limit = { readonly cutAfter: number } | { readonly silentAfter: number }

function pass(incoming: IncomingMessage, answer: ServerResponse, limit: Limit | undefined, port: number): void {
  const { method, url, headers, socket } = incoming
  const forwarded = request({ host: '127.0.0.1', port, method, path: url, headers })
  forwarded.on('response', (response) => {
    answer.writeHead(response.statusCode ?? 502, response.headers)
    relay(response, answer, limit, socket)
  })
  forwarded.on('error', () => socket.destroy())
  answer.once('close', () => forwarded.destroy())
  relay(incoming, forwarded, limit, socket)
}

/** Forwards a body up to the limit. */
function relay(from: IncomingMessage, to: NodeJS.WritableStream, limit: Limit | undefined, socket: Socket): void {
  if (!limit) {
    from.pipe(to)
    return
  }
  const most = 'cutAfter' in limit ? limit.cutAfter : limit.silentAfter
  let passed = 0
  from.on('data', (chunk: Buffer) => {
    passed += chunk.length
    if (passed <= most) to.write(chunk)
    else if ('cutAfter' in limit) socket.destroy()
  })
  from.on('end', () => {
    if (passed <= most) to.end()
  })
}
