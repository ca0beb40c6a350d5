/** A refusal by the API (`errorMessages`, `errorCode`; at the token endpoint `error` of RFC 6749 5.2). */
export class ApiError extends Error {
  /**
   * @param {number} status
   * @param {{ code: string, detail: string }} codes `code` is that of RFC 6749 where there is one, otherwise `errorCode`; `detail` is `errorCode`
   * @param {string} message
   * @param {number | undefined} retryAfterSeconds
   */
  constructor(status, { code, detail }, message, retryAfterSeconds) {
    super(message)
    this.status = status
    this.code = code
    this.detail = detail
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/**
 * Calls the address that the page came from.
 * @param {string} path without a slash before it, so that the page may live below a path of a proxy
 * @param {{ token?: string, headers?: Record<string, string> } & RequestInit} [options]
 * @returns {Promise<Response>} the response, which is a success
 * @throws {ApiError} the API refused the request
 * @throws {TypeError} the API could not be reached (Fetch Standard)
 */
export async function request(path, { token, headers, ...options } = {}) {
  const authorized = token === undefined ? headers : { ...headers, authorization: `Bearer ${token}` }
  const response = await fetch(path, { ...options, headers: authorized })
  if (response.ok) return response
  throw refusalOf(response.status, await response.json().catch(() => ({})), response.headers.get('retry-after'))
}

/**
 * @param {string} path
 * @param {string} token
 */
export const read = async (path, token) => (await request(path, { token })).json()

/**
 * @param {string} path
 * @param {object} body
 * @param {{ method?: 'POST' | 'PUT', token?: string, headers?: Record<string, string> }} [options]
 */
export async function send(path, body, { method = 'POST', token, headers } = {}) {
  const options = { method, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) }
  return (await request(path, token === undefined ? options : { ...options, token })).json()
}

/**
 * @param {number} status
 * @param {any} answer the parsed body, if it could be parsed
 * @param {string | null} retryAfter
 */
export function refusalOf(status, answer, retryAfter) {
  const { error, errorCode = '', errorMessages } = answer ?? {}
  const seconds = Number(retryAfter ?? Number.NaN)
  const message = sentenceOf(errorMessages) ?? `The answer was ${status}.`
  const codes = { code: error ?? errorCode, detail: errorCode }
  return new ApiError(status, codes, message, Number.isFinite(seconds) ? seconds : undefined)
}

/** @param {unknown} messages one text, or texts by field */
function sentenceOf(messages) {
  if (typeof messages === 'string') return messages
  if (typeof messages !== 'object' || messages === null) return undefined
  return Object.entries(messages)
    .map(([field, text]) => `The ${field.replaceAll('_', ' ')} ${text}.`)
    .join(' ')
}
