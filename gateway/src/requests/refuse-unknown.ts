import type { Duplex } from 'node:stream'
import { notFound } from '@caseway/kit/errors'
import { answerOf, answerSocket, answerUnknown, methodNotAllowed, send } from '@caseway/kit/http'
import type { FastifyInstance } from 'fastify'
import { methods } from './methods.js'
import { isPlain } from './plain-path.js'

/** Refuses everything outside of the routing table, before the token is checked. */
export function refuseUnknown(app: FastifyInstance, realm: string): void {
  app.addHook('onRequest', ({ raw }, _reply, done) => done(isPlain(raw.url ?? '') ? undefined : notFound()))
  answerUnknown(app)
  app.setNotFoundHandler((_request, reply) => send(reply, answerOf(notFound(), realm)))
  app.server.on('connect', (_request, socket) => refuseTunnel(socket))
}

/** Answers CONNECT, on which Node would otherwise close the connection without an answer. */
function refuseTunnel(socket: Duplex): void {
  socket.on('error', () => socket.destroy())
  answerSocket(socket, { ...methodNotAllowed, headers: { ...methodNotAllowed.headers, allow: methods.join(', ') } })
}
