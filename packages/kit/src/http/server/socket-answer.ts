import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Answer } from '../../idempotency/index.js'
import { requestIdFrom } from '../../observability/index.js'

/** For how long a sender may take to notice that nobody reads on, in milliseconds. */
const lingerMs = 1_000

/** Answers on a socket that has no response of Node's, under a new request id, and hangs up (RFC 9112 4 and 9.6). */
export function answerSocket(socket: Duplex, { status, headers, body }: Answer): void {
  const fields = { ...headers, 'content-length': Buffer.byteLength(body), 'x-request-id': requestIdFrom(undefined), connection: 'close' }
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join('')}\r\n${body}`)
  // A reset at once could take the answer from somebody who still sends; and who does not close either would never be done (RFC 9112 9.6).
  const lingering = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(lingering))
}
