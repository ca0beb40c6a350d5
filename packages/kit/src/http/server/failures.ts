import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify'
import { AppError, tooLarge } from '../../errors/index.js'
import type { Answer } from '../../idempotency/index.js'
import type { Logger, Metrics } from '../../observability/index.js'
import { answerOf, envelope } from './envelope.js'

const unsupported = envelope(415, 'This media type is not supported here.', 'UNSUPPORTED_MEDIA_TYPE')
const unreadable = envelope(400, { body: 'could not be read' })
const fault = envelope(500, 'Something went wrong. The request id leads to the details.', 'INTERNAL')

/** The answer for an AppError, or for a client error of Fastify (its docs, Errors); undefined for any other error, which is a bug. */
export function answerOfRefusal(error: unknown, realm: string): Answer | undefined {
  if (error instanceof AppError) return answerOf(error, realm)
  const { code, statusCode = 500 } = (error ?? {}) as Partial<FastifyError>
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return answerOf(tooLarge(), realm)
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return unsupported
  return statusCode < 500 ? unreadable : undefined
}

export interface Observers {
  readonly log: Logger
  readonly metrics: Metrics
}

/** Answers every failed request of `app`. A bug is logged, and answered with 500 without details. */
export function answerFailures(app: FastifyInstance, realm: string, { log, metrics }: Observers): void {
  app.setErrorHandler((error, { method, routeOptions }, reply) => {
    const answer = answerOfRefusal(error, realm)
    const failed = { method, route: routeOptions.url, err: error }
    if (!answer) log.error(failed, 'a request failed')
    else if (answer.status >= 500) log.warn(failed, 'a request could not be answered')
    else if (answer.status === 401) metrics.authenticationDenials.inc({ reason: (error as AppError).code })
    // The entity tag is that of the record or file that could not be sent.
    reply.removeHeader('etag')
    send(reply, answer ?? fault)
  })
}

/** Sends an answer, whose body is already serialized. */
export const send = (reply: FastifyReply, { status, headers, body }: Answer) => reply.code(status).headers(headers).send(body)
