const text = { type: 'string' }
const status = { type: 'string', enum: ['error'] }

/** The schemas of errors: a text with a code, and a text for each invalid field. */
export const errorSchemas = [
  {
    $id: 'Error',
    type: 'object',
    properties: { status, errorMessages: text, errorCode: text },
    required: ['status', 'errorMessages', 'errorCode'],
  },
  {
    $id: 'FieldErrors',
    type: 'object',
    properties: { status, errorMessages: { type: 'object', additionalProperties: text } },
    required: ['status', 'errorMessages'],
  },
] as const

const retryAfter = { 'retry-after': { type: 'string', description: 'Seconds to wait.' } }
const challenge = { 'www-authenticate': { type: 'string', description: 'RFC 6750 3.' } }

const error = (description: string, headers?: object, schema = 'Error') => ({
  description,
  ...(headers && { headers }),
  content: { 'application/json': { schema: { $ref: `${schema}#` } } },
})

const errors = {
  400: error('A text for each invalid field.', undefined, 'FieldErrors'),
  401: error('The token is missing, invalid or expired, or not accepted at this address.', challenge),
  403: error('The caller lacks a role or a right.'),
  404: error('The record does not exist, or the caller may not see it.'),
  409: error('The state of the record does not allow the request, or the Idempotency-Key is in use by another request.', retryAfter),
  412: error('The record has changed since the version in If-Match.'),
  413: error('The request is too large.'),
  415: error('The body is not JSON, or has a Content-Encoding.'),
  429: error('Too many requests.', retryAfter),
  503: error('Temporarily unavailable: the request may be repeated. With OUTCOME_UNKNOWN the change may have been made.', retryAfter),
} as const
export type ErrorStatus = keyof typeof errors

const always: readonly ErrorStatus[] = [401, 403, 429, 503]

/** The `response` of a route's schema: `own` answers, the errors of every route with a token, and `others`. */
export function answerSchemas(own: Readonly<Record<number, object>>, ...others: ErrorStatus[]): Record<number, object> {
  return publicAnswerSchemas(own, ...always, ...others)
}

/** The `response` of the schema of a public route: `own` answers, and the errors `others`. */
export function publicAnswerSchemas(own: Readonly<Record<number, object>>, ...others: ErrorStatus[]): Record<number, object> {
  return { ...Object.fromEntries(others.map((status) => [status, errors[status]])), ...own }
}

/** The answer `{ "status": "OK" }`. */
export const ok = { description: 'Done.', type: 'object', properties: { status: { type: 'string', enum: ['OK'] } }, required: ['status'] }
