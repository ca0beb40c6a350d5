import { unavailable } from '@caseway/kit/errors'
import type { OutboundFetch } from '@caseway/kit/outbound'
import * as oauth from 'oauth4webapi'
import { platformNotConfigured } from '../errors.js'
import type { AccountingPlatform, Tokens } from './accounting-platform.js'
import { companiesIn } from './companies-answer.js'
import type { PlatformPlace } from './platform-variables.js'

/** RFC 6749 5.1 lets a platform leave the lifetime out. */
const assumedLifetimeSeconds = 3_600
/** PostgreSQL holds more, but no token lives longer than ten years. */
const longestLifetimeSeconds = 10 * 365 * 86_400

/** The platform by OAuth 2.0 (RFC 6749 4.1, client_secret_basic), PKCE (RFC 7636), revocation (RFC 7009), and its API. @param fetch the guarded one */
export function oauthAccountingPlatform(place: PlatformPlace, fetch: OutboundFetch): AccountingPlatform {
  const { clientId, clientSecret, redirectUri, authorizationUrl, revocationUrl, tokenUrl, apiUrl, issuer } = place
  const server: oauth.AuthorizationServer = {
    issuer: issuer ?? tokenUrl,
    token_endpoint: tokenUrl,
    ...(revocationUrl !== undefined && { revocation_endpoint: revocationUrl }),
  }
  const client = { client_id: clientId }
  const authentication = oauth.ClientSecretBasic(clientSecret)
  // The configuration decides where plain text may be spoken.
  const options = { [oauth.customFetch]: fetch as never, [oauth.allowInsecureRequests]: true }

  return {
    revokes: revocationUrl !== undefined,

    async requestAuthorization() {
      if (authorizationUrl === undefined) throw platformNotConfigured()
      const [state, codeVerifier] = [oauth.generateRandomState(), oauth.generateRandomCodeVerifier()]
      const url = new URL(authorizationUrl)
      const parameters = {
        ...{ response_type: 'code', client_id: clientId, redirect_uri: redirectUri, state },
        ...{ code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier), code_challenge_method: 'S256' },
      }
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
      return { url: url.href, state, codeVerifier }
    },

    isIssuer: (sent) => issuer === undefined || sent === issuer,

    exchange: ({ code, codeVerifier = oauth.nopkce }) =>
      granted(async () => {
        // State and issuer have been checked: they came through the request of a person, not with the code.
        const answer = oauth.validateAuthResponse(server, client, new URLSearchParams({ code }), oauth.expectNoState)
        const response = await oauth.authorizationCodeGrantRequest(
          ...([server, client, authentication, answer, redirectUri, codeVerifier, options] as const),
        )
        return oauth.processAuthorizationCodeResponse(server, client, response)
      }),

    refresh: (refreshToken) =>
      granted(async () => {
        const response = await oauth.refreshTokenGrantRequest(server, client, authentication, refreshToken, options)
        return oauth.processRefreshTokenResponse(server, client, response)
      }),

    revoke: (token) =>
      answered(async () => {
        const response = await oauth.revocationRequest(server, client, authentication, token, options)
        await oauth.processRevocationResponse(response)
      }),

    companies: (accessToken) =>
      answered(async () => {
        const headers = new Headers({ accept: 'application/json' })
        const address = new URL(`${apiUrl}/companies`)
        const response = await oauth.protectedResourceRequest(accessToken, 'GET', address, headers, undefined, options)
        if (response.status !== 200) throw new Error(`The companies were answered with ${response.status}.`)
        return companiesIn(await response.json().catch(() => undefined))
      }),
  }
}

/** What is there without a configuration. */
export const noAccountingPlatform: AccountingPlatform = {
  revokes: false,
  isIssuer: () => true,
  requestAuthorization: () => Promise.reject(platformNotConfigured()),
  exchange: () => Promise.reject(platformNotConfigured()),
  refresh: () => Promise.reject(platformNotConfigured()),
  revoke: () => Promise.reject(platformNotConfigured()),
  companies: () => Promise.reject(platformNotConfigured()),
}

/** @throws AppError `unavailable`, unless the grant itself was refused (RFC 6749 5.2) */
const granted = (request: () => Promise<oauth.TokenEndpointResponse>): Promise<Tokens | 'refused'> =>
  answered(async () => {
    try {
      return tokensIn(await request())
    } catch (error) {
      if (error instanceof oauth.ResponseBodyError && error.error === 'invalid_grant') return 'refused'
      throw error
    }
  })

const tokensIn = ({ access_token, refresh_token, expires_in = assumedLifetimeSeconds }: oauth.TokenEndpointResponse): Tokens => ({
  accessToken: access_token,
  refreshToken: refresh_token ?? null,
  lifetimeSeconds: Math.min(expires_in, longestLifetimeSeconds),
})

/** Errors of the library carry the answer, in which there may be tokens: only what they say of it goes on. */
async function answered<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request()
  } catch (error) {
    const { message, code } = error as { message: string; code?: string }
    const refusal = error instanceof oauth.ResponseBodyError && /^[a-z_]{1,40}$/.test(error.error) ? ` (${error.error})` : ''
    throw unavailable(Object.assign(new Error(`The accounting platform: ${message}${refusal}`), { code }))
  }
}
