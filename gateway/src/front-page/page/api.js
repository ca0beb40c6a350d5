/** An answer of the API that is none of success (api: `errorMessages`, `errorCode`; RFC 6749 5.2: `error`). */
export class ApiError extends Error {
  /**
   * @param {number} status
   * @param {string} code
   * @param {string} message
   * @param {number | undefined} retryAfterSeconds
   */
  constructor(status, code, message, retryAfterSeconds) {
    super(message)
    this.status = status
    this.code = code
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/**
 * Calls the address that the page came from.
 * @param {string} path without a slash before it, so that the page may live below a path of a proxy
 * @param {{ token?: string, headers?: Record<string, string> } & RequestInit} [options]
 * @returns {Promise<Response>} of a success
 * @throws {ApiError} what the API refused
 * @throws {TypeError} it could not be reached (Fetch Standard)
 */
export async function request(path, { token, headers, ...options } = {}) {
  const authorized = token === undefined ? headers : { ...headers, authorization: `Bearer ${token}` }
  const response = await fetch(path, { ...options, headers: authorized })
  if (response.ok) return response
  throw await refusal(response)
}

/**
 * @param {string} path
 * @param {string} token
 */
export const read = async (path, token) => (await request(path, { token })).json()

/**
 * @param {string} path
 * @param {object} body
 */
export async function post(path, body) {
  const headers = { 'content-type': 'application/json' }
  return (await request(path, { method: 'POST', headers, body: JSON.stringify(body) })).json()
}

/** @param {Response} response */
async function refusal(response) {
  const answer = await response.json().catch(() => ({}))
  const { error, errorCode, errorMessages } = answer ?? {}
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  const message = typeof errorMessages === 'string' ? errorMessages : `The answer was ${response.status}.`
  return new ApiError(response.status, error ?? errorCode ?? '', message, Number.isFinite(seconds) ? seconds : undefined)
}
