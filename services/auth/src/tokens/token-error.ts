import type { AppError } from '@caseway/kit/errors'
import type { Answer } from '@caseway/kit/idempotency'

/** RFC 6749 5.2. */
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

/** Why no token is given. */
export class TokenError extends Error {
  constructor(
    readonly code: TokenErrorCode,
    message: string,
    /** Where the code of RFC 6749 says too little. */
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

/** The fields of RFC 6749 beside those of every other error here. */
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

/** Limits and outages have no code of their own in RFC 6749; the status distinguishes them. */
export function tokenAnswerOf(error: AppError, status: number): Answer {
  const code = error.kind === 'invalid' || error.kind === 'too-large' ? 'invalid_request' : 'temporarily_unavailable'
  const headers: Record<string, string> = error.retryAfterSeconds === undefined ? {} : { 'retry-after': String(error.retryAfterSeconds) }
  return tokenErrorAnswer({ code, message: error.message, status, errorCode: error.code, headers })
}
