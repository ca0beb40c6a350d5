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

/** An internal field of Node, which its own handler reads as well: whether an answer has begun, so that no second one may be written. It is null between two requests. */
interface Answering {
  readonly _httpMessage?: { readonly headersSent: boolean } | null
}

/** Ends a connection that was idle for too long: a request whose body stopped arriving is answered with 408. Between two requests there is nothing to answer. */
export function endIdleSocket(socket: Socket & Answering): void {
  if (socket._httpMessage) answerSocketError({ code: 'ERR_HTTP_REQUEST_TIMEOUT' }, socket)
  else socket.destroy()
}

/** A `clientError` listener (Node docs): answers invalid HTTP in the form of `envelope`, and closes the connection. */
export function answerSocketError({ code = '' }: { code?: string }, socket: Socket & Answering): void {
  if (code === 'ECONNRESET' || !socket.writable || socket._httpMessage?.headersSent) return void socket.destroy()
  answerSocket(socket, answers[code] ?? malformed)
}

/**
 * Answers 400 in the form of `envelope` where Node would answer without a body, or not at all:
 * - an HTTP/1.1 request without `Host`, with several, or with an invalid one (RFC 9112 3.2; the server needs `requireHostHeader: false`);
 * - a transfer coding before `chunked`, which Node does not decode, or any in HTTP/1.0, where a proxy may see another end of the body (RFC 9112 6.1).
 *
 * Expectations other than `100-continue` are ignored (RFC 9110 10.1.1).
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

/** The form of `Host` (RFC 9110 7.2, RFC 3986 3.2.2). It may be empty. */
const hostAndPort = /^(?:[\w.~!$&'()*+,;=%-]*|\[[\w.:%~-]+\])(?::[0-9]*)?$/

const isCodedWrongly = ({ headers: { 'transfer-encoding': coding }, httpVersion }: IncomingMessage) =>
  coding !== undefined && (coding.toLowerCase() !== 'chunked' || httpVersion === '1.0')

/** `rawHeaders` alternates names and values. */
const hostsOf = ({ rawHeaders }: IncomingMessage) => rawHeaders.filter((name, i) => i % 2 === 0 && /^host$/i.test(name)).length
