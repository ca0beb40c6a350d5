import type { AppError, ErrorKind } from '../../errors/index.js'
import type { Answer } from '../../idempotency/index.js'
import { defaultHeaders } from './default-headers.js'

/** The HTTP status of each kind of AppError (RFC 9110 15; 429: RFC 6585 4). */
export const httpStatus = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  stale: 412,
  'too-large': 413,
  limit: 429,
  unavailable: 503,
  uncertain: 503,
} satisfies Record<ErrorKind, number>

/** The `content-type` of every answer in JSON. */
export const json = 'application/json; charset=utf-8'

/** The answer for an error. @param errorMessages one text, or a text for each invalid field @param errorCode stable, for machines */
export function envelope(status: number, errorMessages: string | Record<string, string>, errorCode?: string): Answer {
  return {
    status,
    headers: { 'content-type': json, ...defaultHeaders },
    body: JSON.stringify({ status: 'error', errorMessages, errorCode }),
  }
}

/** The answer for an AppError. @param realm of `WWW-Authenticate` (RFC 9110 11.5) */
export function answerOf(error: AppError, realm: string): Answer {
  const { kind, code, message, fields, retryAfterSeconds } = error
  const answer = fields ? envelope(httpStatus[kind], fields) : envelope(httpStatus[kind], message, code)
  if (kind === 'unauthenticated') answer.headers['www-authenticate'] = challenge(error, realm)
  if (retryAfterSeconds !== undefined) answer.headers['retry-after'] = String(retryAfterSeconds)
  return answer
}

/** RFC 6750 3.1: a request without a token is answered without an error code. */
const challenge = ({ code, message }: AppError, realm: string) =>
  code === 'TOKEN_MISSING' ? `Bearer realm="${realm}"` : `Bearer realm="${realm}", error="invalid_token", error_description="${message}"`
