import { ApiError, request, send } from './api.js'

/** Nobody is signed in any more: the session was ended, here or elsewhere. */
export class SessionOver extends Error {}

/** A token is renewed when it has less than this to live. */
const marginMs = 60_000

const tokenPath = 'rest/token'

/**
 * @typedef {object} Tokens
 * @property {string} access
 * @property {string} refresh
 * @property {number} expiresAt milliseconds, as `Date.now()`
 */

/**
 * One sign-in. Its tokens are kept in memory alone: /docs shares our origin, and whatever lies in a storage can be read by every script
 * that ever gets in there. The price is that a reload asks for the password again.
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
   * A token that is good for a while. Whoever asks while it is renewed waits for the same answer, for a refresh token is used once.
   * @param {{ unlike?: string }} [options] `unlike` names one that was refused
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

  /** Ends the session on the server, whatever becomes of the page. */
  async end() {
    const token = await this.token().catch(refusedAsOver)
    if (token !== undefined) await request(tokenPath, { method: 'DELETE', token }).catch(refusedAsOver)
  }

  /** The same for a page that is being left: nobody is there to wait, or to use these tokens again. */
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
 * A session that is over already needs no end.
 * @param {unknown} error
 */
function refusedAsOver(error) {
  if (error instanceof SessionOver || (error instanceof ApiError && error.status === 401)) return undefined
  throw error
}
