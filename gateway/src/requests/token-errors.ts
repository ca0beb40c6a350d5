import type { FastifyInstance } from 'fastify'
import { isTokenRequest } from './targets.js'

/** OAuth error codes (RFC 6749 4.1.2.1 and 5.2) for refusals of the gateway itself. */
const errors: Record<number, string> = {
  400: 'invalid_request',
  413: 'invalid_request',
  415: 'invalid_request',
  429: 'temporarily_unavailable',
  503: 'temporarily_unavailable',
  504: 'temporarily_unavailable',
}

/** Adds the OAuth error code to errors at the token endpoint. Answers of services are bytes, and are not changed. */
export function answerAsOAuth(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const error = errors[reply.statusCode]
    if (typeof payload !== 'string' || !error || !isTokenRequest(request)) return done()
    reply.header('cache-control', 'no-store')
    const answer = JSON.parse(payload)
    done(null, JSON.stringify({ ...answer, error, error_description: descriptionOf(answer) }))
  })
}

const descriptionOf = ({ errorMessages }: { errorMessages: unknown }) =>
  typeof errorMessages === 'string' ? errorMessages : 'The request could not be read.'
