import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { notFound } from '@caseway/kit/errors'
import { answerOf, answerUnknown, send } from '@caseway/kit/http'
import { requestIdFrom } from '@caseway/kit/observability'
import type { FastifyInstance } from 'fastify'
import { methodNotAllowed } from '../errors.js'
import { methods } from './methods.js'
import { isPlain } from './plain-path.js'

/** Answers whatever is not in the routing table, before the token is looked at. */
export function refuseUnknown(app: FastifyInstance, realm: string): void {
  app.addHook('onRequest', ({ raw }, _reply, done) => done(isPlain(raw.url ?? '') ? undefined : notFound()))
  answerUnknown(app)
  app.setNotFoundHandler((_request, reply) => send(reply, answerOf(notFound(), realm)))
  app.server.on('connect', (_request, socket) => refuseTunnel(socket))
}

/** Node hangs up on CONNECT without a word. */
function refuseTunnel(socket: Duplex): void {
  const { status, headers, body } = methodNotAllowed
  const fields = {
    ...headers,
    allow: methods.join(', '),
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestIdFrom(undefined),
  }
  const head = Object.entries({ ...fields, connection: 'close' }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.on('error', () => socket.destroy())
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join('')}\r\n${body}`)
}
