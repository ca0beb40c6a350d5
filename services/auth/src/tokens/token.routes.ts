import { roles } from '@caseway/kit/caller'
import { AppError, tooLarge } from '@caseway/kit/errors'
import { action, httpStatus, networksOf, ok, type Routes, send, type WrappedRecord } from '@caseway/kit/http'
import type { Answer } from '@caseway/kit/idempotency'
import type { Limit } from '@caseway/kit/limits'
import formbody from '@fastify/formbody'
import type { FastifyError, FastifyReply } from 'fastify'
import type { AccountRole } from '../accounts/account.js'
import type { IssuedToken } from './access-token.service.js'
import { tokenSchema } from './token.schemas.js'
import type { TokenService } from './token.service.js'
import { TokenError, tokenAnswerOf, tokenErrorAnswer } from './token-error.js'
import { readTokenRequest } from './token-request.js'

const noRole = { id: null, customer_id: null, name: null, created: null, modified: null }
const permissionsOnWire = (permissions: IssuedToken['ofRole']) =>
  permissions.map(({ key, allowed }) => ({ key, allowed: allowed ? '1' : '0' }))

export type EncodeRole = (role: AccountRole & { baseRole: number; version: number }, zone: string) => WrappedRecord

/** Aborts when the connection closes before the answer: the client has disconnected, or the gateway has cancelled. */
function abandoned({ raw }: FastifyReply): AbortSignal {
  const aborted = new AbortController()
  raw.once('close', () => aborted.abort())
  return aborted.signal
}

/** The maximum size of the body of a token request, in bytes; it is small because the request is not authenticated. */
const bodyLimit = 65_536

/** Maps every error to an answer by RFC 6749 5.2. */
function answerOf(error: unknown): Answer {
  if (error instanceof TokenError) return tokenErrorAnswer(error)
  if (error instanceof AppError) return tokenAnswerOf(error, httpStatus[error.kind])
  const { code, statusCode: status = 500, message } = error as FastifyError
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return answerOf(tooLarge())
  if (status >= 500) return tokenErrorAnswer({ code: 'server_error', message: 'Something went wrong.' })
  return tokenErrorAnswer({ code: 'invalid_request', message: status === 400 ? 'The body could not be read.' : message, status })
}

export const tokenRoutes = (tokens: TokenService, requests: Limit, encodeRole: EncodeRole): Routes => [
  grantRoute(tokens, requests, encodeRole),
  action(
    { name: 'Token', path: 'token' },
    { method: 'DELETE', path: '', operationId: 'deleteToken', summary: 'Signs out.', answers: { 200: ok }, roles },
    ({ caller }) => tokens.signOut(caller),
  ),
]

const grantRoute =
  (tokens: TokenService, requests: Limit, encodeRole: EncodeRole): Routes =>
  async (app) => {
    const { audience, zones } = app.space

    const roleOnWire = (role: AccountRole | null, zone: string) => {
      if (!role) return noRole
      const { base_role: _, ...shown } = encodeRole({ ...role, baseRole: 1, version: 1 }, zone).UserRole as Record<string, unknown>
      return shown
    }

    await app.register(formbody)
    app.setErrorHandler((error, request, reply) => {
      const answer = answerOf(error)
      if (answer.status >= 500) request.log[error instanceof AppError ? 'warn' : 'error']({ err: error }, 'no token could be issued')
      return send(reply, answer)
    })
    app.addHook('onRequest', (request) => requests.count(networksOf(request.tracing.address)))
    const options = { bodyLimit, schema: tokenSchema, config: { public: true }, validatorCompiler: () => () => true }
    app.post('/token', options, async (request, reply) => {
      const tokenRequest = readTokenRequest(request.body, request.headers.authorization)
      const issued = await tokens.grant(tokenRequest, audience, { networks: networksOf(request.tracing.address), signal: abandoned(reply) })
      reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' })
      return {
        access_token: issued.accessToken,
        expires_in: issued.expiresIn,
        token_type: 'Bearer',
        scope: null,
        refresh_token: issued.refreshToken,
        user_id: String(issued.account.userId),
        UserRole: roleOnWire(issued.account.userRole, await zones(issued.account.customerId)),
        UserRolePermission: permissionsOnWire(issued.ofRole),
        UserPermission: permissionsOnWire(issued.ofUser),
      }
    })
  }
