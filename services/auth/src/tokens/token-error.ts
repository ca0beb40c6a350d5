import type { AppError } from '@caseway/kit/errors'
import type { Answer } from '@caseway/kit/idempotency'

/** The error codes of RFC 6749 5.2, with extensions. */
export type TokenErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'invalid_scope'
  | 'temporarily_unavailable'
  | 'server_error'

const statuses: Partial<Record<TokenErrorCode, number>> = { invalid_client: 401, temporarily_unavailable: 503, server_error: 500 }

/** The reason why no token is issued. */
export class TokenError extends Error {
  constructor(
    readonly code: TokenErrorCode,
    message: string,
    /** A more specific code, where that of RFC 6749 does not suffice. */
    readonly errorCode?: string,
  ) {
    super(message)
  }
}

interface Described {
  readonly code: TokenErrorCode
  readonly message: string
  readonly status?: number
  readonly errorCode?: string | undefined
  readonly headers?: Record<string, string>
}

/** An answer with the fields of RFC 6749 in addition to those of all errors of the API. */
export function tokenErrorAnswer({ code, message, status = statuses[code] ?? 400, errorCode, headers }: Described): Answer {
  const body = {
    status: 'error',
    error: code,
    error_description: message,
    errorMessages: message,
    errorCode: errorCode ?? code.toUpperCase(),
  }
  const challenge: Record<string, string> = status === 401 ? { 'www-authenticate': 'Basic realm="caseway"' } : {}
  return {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      pragma: 'no-cache',
      ...challenge,
      ...headers,
    },
    body: JSON.stringify(body),
  }
}

/** RFC 6749 has no codes for limits and outages; the status tells them apart. */
export function tokenAnswerOf(error: AppError, status: number): Answer {
  const code = error.kind === 'invalid' || error.kind === 'too-large' ? 'invalid_request' : 'temporarily_unavailable'
  const headers: Record<string, string> = error.retryAfterSeconds === undefined ? {} : { 'retry-after': String(error.retryAfterSeconds) }
  return tokenErrorAnswer({ code, message: error.message, status, errorCode: error.code, headers })
}
