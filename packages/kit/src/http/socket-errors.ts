import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type Answer, envelope } from './envelope.js'

const answers: Record<string, Answer> = {
  ERR_HTTP_REQUEST_TIMEOUT: envelope(408, 'The request took too long to arrive.', 'REQUEST_TIMEOUT'),
  HPE_HEADER_OVERFLOW: envelope(431, 'The header of the request is too large.', 'HEADER_TOO_LARGE'),
}
const malformed = envelope(400, 'The request is not valid HTTP.', 'BAD_REQUEST')

/** As Node's own handler looks at it: an answer that has begun must not be written into. */
interface Answering {
  readonly _httpMessage?: { readonly headersSent: boolean } | null
}

/** Answers what never became a request (Node docs, `clientError`), in the same shape as any other error, and hangs up. */
export function answerSocketError({ code = '' }: { code?: string }, socket: Socket & Answering): void {
  if (code === 'ECONNRESET' || !socket.writable || socket._httpMessage?.headersSent) return void socket.destroy()
  const { status, headers, body } = answers[code] ?? malformed
  const fields = { ...headers, 'content-length': Buffer.byteLength(body), 'x-request-id': randomUUID(), connection: 'close' }
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join('')}\r\n${body}`)
}
