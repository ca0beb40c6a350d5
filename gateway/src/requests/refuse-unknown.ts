import type { Duplex } from 'node:stream'
import { notFound } from '@caseway/kit/errors'
import { answerOf, answerSocket, answerUnknown, methodNotAllowed, send } from '@caseway/kit/http'
import type { FastifyInstance } from 'fastify'
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
  socket.on('error', () => socket.destroy())
  answerSocket(socket, { ...methodNotAllowed, headers: { ...methodNotAllowed.headers, allow: methods.join(', ') } })
}
