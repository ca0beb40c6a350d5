import { ApiError, request, send } from './api.js'

/** The session has ended, here or elsewhere. */
export class SessionOver extends Error {}

/** A token with less than this to live is renewed. */
const marginMs = 60_000

const tokenPath = 'rest/token'

/**
 * @typedef {object} Tokens
 * @property {string} access
 * @property {string} refresh
 * @property {number} expiresAt milliseconds, as `Date.now()`
 */

/**
 * One sign-in. Its tokens are kept in memory alone: /docs shares our origin, and any script of the origin can read its storage. The price is that a
 * reload asks for the password again.
 */
export class Session {
  /** @type {Tokens} */
  #tokens
  /** @type {Promise<string> | undefined} */
  #renewing
  #clientId

  /**
   * @param {string} clientId
   * @param {Tokens} tokens
   */
  constructor(clientId, tokens) {
    this.#clientId = clientId
    this.#tokens = tokens
  }

  /**
   * @param {string} clientId the public application as which the page signs in
   * @param {{ username: string, password: string, otp?: string }} credentials
   */
  static async begin(clientId, credentials) {
    const answer = await send(tokenPath, { grant_type: 'password', client_id: clientId, ...credentials })
    return new Session(clientId, tokensOf(answer))
  }

  /**
   * Returns an access token that is valid for at least a minute. Concurrent callers share one refresh, because a refresh token can be used only once.
   * @param {{ unlike?: string }} [options] `unlike` is a token that was refused, and is not returned again
   * @throws {SessionOver}
   */
  async token({ unlike } = {}) {
    const { access, expiresAt } = this.#tokens
    if (access !== unlike && expiresAt - Date.now() > marginMs) return access
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = undefined
    })
    return this.#renewing
  }

  /** Ends the session on the server. */
  async end() {
    const token = await this.token().catch(refusedAsOver)
    if (token !== undefined) await request(tokenPath, { method: 'DELETE', token }).catch(refusedAsOver)
  }

  /** Ends the session of a page that is being unloaded: does not wait, and does not refresh the token. */
  abandon() {
    request(tokenPath, { method: 'DELETE', token: this.#tokens.access, keepalive: true }).catch(() => undefined)
  }

  async #renew() {
    const parameters = { grant_type: 'refresh_token', client_id: this.#clientId, refresh_token: this.#tokens.refresh }
    try {
      this.#tokens = tokensOf(await send(tokenPath, parameters))
      return this.#tokens.access
    } catch (error) {
      throw error instanceof ApiError && error.code === 'invalid_grant' ? new SessionOver() : error
    }
  }
}

/** @param {{ access_token: string, refresh_token: string, expires_in: number }} answer */
const tokensOf = ({ access_token, refresh_token, expires_in }) => ({
  access: access_token,
  refresh: refresh_token,
  expiresAt: Date.now() + expires_in * 1000,
})

/**
 * Ignores that a session to be ended has already ended; throws any other error.
 * @param {unknown} error
 */
function refusedAsOver(error) {
  if (error instanceof SessionOver || (error instanceof ApiError && error.status === 401)) return undefined
  throw error
}
