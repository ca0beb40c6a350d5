import * as oauth from 'oauth4webapi'
import { unavailable } from '../errors/index.js'
import type { OutboundFetch } from '../outbound/index.js'
import type { Tokens } from './tokens.js'

/** An authorization server, and the credentials of the client there. */
export interface OauthServer {
  /** The name with which error messages begin, such as `The accounting platform`. */
  readonly name: string
  readonly tokenUrl: string
  readonly revocationUrl?: string | undefined
  readonly issuer?: string | undefined
  readonly clientId: string
  readonly clientSecret: string
  /** Whether the secret is sent in the header, which every server supports, or in the body (RFC 6749 2.3.1). Default `basic`. */
  readonly authentication?: 'basic' | 'post'
}

/** An authorization request: the URL to which the browser is sent, and the values that bind the answer to it. */
export interface AuthorizationRequest {
  readonly url: string
  /** RFC 6749 4.1.1. The caller must compare it with the `state` of the answer. */
  readonly state: string
  /** RFC 7636. It must be sent with the code. */
  readonly codeVerifier: string
}

/** An authorization code, and the values of its request. */
export interface AuthorizationAnswer {
  readonly code: string
  /** Undefined where the request was not made by `requestAuthorization`, and so without PKCE. */
  readonly codeVerifier: string | undefined
  /** The same as in the request (RFC 6749 4.1.3). */
  readonly redirectUri: string
}

/**
 * The client of an authorization server. Every request rejects with AppError `unavailable` where the server does not answer in time, or answers with an error
 * or something invalid. No error contains a token.
 */
export interface OauthClient {
  /**
   * Creates an authorization request with new `state` and code verifier. Sends nothing.
   * @param authorizationUrl the authorization endpoint; its query is kept
   * @param more further parameters
   */
  requestAuthorization(
    authorizationUrl: string,
    redirectUri: string,
    more?: Readonly<Record<string, string>>,
  ): Promise<AuthorizationRequest>
  /** Exchanges a code, which is possible once. The caller must have checked `state` and `iss`. `refused` means `invalid_grant` (RFC 6749 5.2). */
  exchange(answer: AuthorizationAnswer): Promise<Tokens | 'refused'>
  /** Fetches new tokens. Where they have no refresh token, the old one stays valid. `refused` means `invalid_grant`. */
  refresh(refreshToken: string): Promise<Tokens | 'refused'>
  /** Revokes a refresh token or an access token (RFC 7009). */
  revoke(token: string): Promise<void>
  /** Sends a GET with the access token (RFC 6750), and returns the result of `read`. An error of `read` becomes `unavailable` as well. */
  resource<T>(accessToken: string, url: string, read: (response: Response) => Promise<T>): Promise<T>
}

/** The assumed lifetime where the server sends none, which RFC 6749 5.1 allows. */
const assumedLifetimeSeconds = 3_600
/** Longer lifetimes are cut to ten years, so that the end of every token fits a timestamp. */
const longestLifetimeSeconds = 10 * 365 * 86_400

/**
 * The OAuth 2.0 client by oauth4webapi: authorization codes with PKCE (RFC 6749 4.1, RFC 7636), refresh (RFC 6749 6), revocation (RFC 7009).
 * @param fetch see `outboundFetch`; its private hosts decide about plain text
 */
export function oauthClient(place: OauthServer, fetch: OutboundFetch): OauthClient {
  const { name, tokenUrl, revocationUrl, issuer, clientId, clientSecret } = place
  const server: oauth.AuthorizationServer = {
    issuer: issuer ?? tokenUrl,
    token_endpoint: tokenUrl,
    ...(revocationUrl !== undefined && { revocation_endpoint: revocationUrl }),
  }
  const client = { client_id: clientId }
  const authentication = place.authentication === 'post' ? oauth.ClientSecretPost(clientSecret) : oauth.ClientSecretBasic(clientSecret)
  // `fetch` decides where plain text is allowed.
  const options = { [oauth.customFetch]: fetch as never, [oauth.allowInsecureRequests]: true }

  return {
    async requestAuthorization(authorizationUrl, redirectUri, more = {}) {
      const [state, codeVerifier] = [oauth.generateRandomState(), oauth.generateRandomCodeVerifier()]
      const url = new URL(authorizationUrl)
      const parameters = {
        ...{ ...more, response_type: 'code', client_id: clientId, redirect_uri: redirectUri, state },
        ...{ code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier), code_challenge_method: 'S256' },
      }
      for (const [parameter, value] of Object.entries(parameters)) url.searchParams.set(parameter, value)
      return { url: url.href, state, codeVerifier }
    },

    exchange: ({ code, codeVerifier = oauth.nopkce, redirectUri }) =>
      granted(name, async () => {
        // The caller has checked `state` and `iss`; the library demands a validated answer.
        const answer = oauth.validateAuthResponse(server, client, new URLSearchParams({ code }), oauth.expectNoState)
        const response = await oauth.authorizationCodeGrantRequest(
          ...([server, client, authentication, answer, redirectUri, codeVerifier, options] as const),
        )
        return oauth.processAuthorizationCodeResponse(server, client, response)
      }),

    refresh: (refreshToken) =>
      granted(name, async () => {
        const response = await oauth.refreshTokenGrantRequest(server, client, authentication, refreshToken, options)
        return oauth.processRefreshTokenResponse(server, client, response)
      }),

    revoke: (token) =>
      answered(name, async () => {
        const response = await oauth.revocationRequest(server, client, authentication, token, options)
        await oauth.processRevocationResponse(response)
      }),

    resource: (accessToken, url, read) =>
      answered(name, async () => {
        const headers = new Headers({ accept: 'application/json' })
        return read(await oauth.protectedResourceRequest(accessToken, 'GET', new URL(url), headers, undefined, options))
      }),
  }
}

/** The tokens of a token request, or `refused` for `invalid_grant` (RFC 6749 5.2). @throws AppError `unavailable` for any other error */
const granted = (name: string, request: () => Promise<oauth.TokenEndpointResponse>): Promise<Tokens | 'refused'> =>
  answered(name, async () => {
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

/** Converts every error to `unavailable`. Errors of the library hold the answer, which may contain tokens, so only message and code are kept. */
async function answered<T>(name: string, request: () => Promise<T>): Promise<T> {
  try {
    return await request()
  } catch (error) {
    const { message, code } = error as { message: string; code?: string }
    const refusal = error instanceof oauth.ResponseBodyError && /^[a-z_]{1,40}$/.test(error.error) ? ` (${error.error})` : ''
    throw unavailable(Object.assign(new Error(`${name}: ${message}${refusal}`), { code }))
  }
}
