import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Answer } from '../../idempotency/index.js'
import { envelope } from './envelope.js'
import { send } from './failures.js'
import { answerSocket } from './socket-answer.js'

const answers: Record<string, Answer> = {
  ERR_HTTP_REQUEST_TIMEOUT: envelope(408, 'The request took too long to arrive.', 'REQUEST_TIMEOUT'),
  HPE_HEADER_OVERFLOW: envelope(431, 'The header of the request is too large.', 'HEADER_TOO_LARGE'),
}
const malformed = envelope(400, 'The request is not valid HTTP.', 'BAD_REQUEST')

/** What Node's own handler reads as well: once an answer has begun, a second one must not be written. */
interface Answering {
  readonly _httpMessage?: { readonly headersSent: boolean } | null
}

/** Answers bytes that the parser could not take for a request (Node docs, `clientError`), in the shape of any other error, and closes the connection. */
export function answerSocketError({ code = '' }: { code?: string }, socket: Socket & Answering): void {
  if (code === 'ECONNRESET' || !socket.writable || socket._httpMessage?.headersSent) return void socket.destroy()
  answerSocket(socket, answers[code] ?? malformed)
}

/**
 * Answers what Node would answer by itself with a bare status: a request without `Host` is not HTTP/1.1, nor is one with two of them, of which Node
 * takes the first, nor one whose `Host` is no host (RFC 9112 3.2; the server needs `requireHostHeader: false`). Of a coding before `chunked` Node
 * undoes nothing, and takes what is coded for the body; HTTP/1.0 has no codings, so that a proxy may see another end of the body (RFC 9112
 * 6.1). Expectations beside `100-continue` are passed over (RFC 9110 10.1.1).
 */
export function rejectInvalidHead(app: FastifyInstance): void {
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.addHook('onRequest', (request, reply, done) => {
    if (hasNoSingleHost(request.raw) || isCodedWrongly(request.raw)) send(reply.header('connection', 'close'), malformed)
    else done()
  })
}

const hasNoSingleHost = (request: IncomingMessage) =>
  request.httpVersion === '1.1' && (hostsOf(request) !== 1 || !hostAndPort.test(request.headers.host ?? ''))

/** RFC 9110 7.2 and RFC 3986 3.2.2. The host may be empty. */
const hostAndPort = /^(?:[\w.~!$&'()*+,;=%-]*|\[[\w.:%~-]+\])(?::[0-9]*)?$/

const isCodedWrongly = ({ headers: { 'transfer-encoding': coding }, httpVersion }: IncomingMessage) =>
  coding !== undefined && (coding.toLowerCase() !== 'chunked' || httpVersion === '1.0')

/** `rawHeaders` alternates names and values. */
const hostsOf = ({ rawHeaders }: IncomingMessage) => rawHeaders.filter((name, i) => i % 2 === 0 && /^host$/i.test(name)).length
