import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Answer } from '../../idempotency/index.js'
import { requestIdFrom } from '../../observability/index.js'

/** How long a client has to read the answer and close the connection, in milliseconds. */
const lingerMs = 1_000

/** Writes an answer with a new request id to a socket for which Node has no response object, and closes the connection (RFC 9112 4 and 9.6). */
export function answerSocket(socket: Duplex, { status, headers, body }: Answer): void {
  const fields = { ...headers, 'content-length': Buffer.byteLength(body), 'x-request-id': requestIdFrom(undefined), connection: 'close' }
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join('')}\r\n${body}`)
  // A reset at once could discard the answer before the client has read it; a client that never closes would keep the connection (RFC 9112 9.6).
  const lingering = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(lingering))
}
