import * as oauth from 'oauth4webapi'
import { unavailable } from '../errors/index.js'
import type { OutboundFetch } from '../outbound/index.js'
import type { Tokens } from './tokens.js'

/** An authorization server, and as whom the service signs in there. */
export interface OauthServer {
  /** Begins the messages of errors: `The accounting platform`. */
  readonly name: string
  readonly tokenUrl: string
  readonly revocationUrl?: string | undefined
  readonly issuer?: string | undefined
  readonly clientId: string
  readonly clientSecret: string
  /** Whether the secret goes in the header, as every server takes it, or in the body (RFC 6749 2.3.1). Default `basic`. */
  readonly authentication?: 'basic' | 'post'
}

/** Where a person is sent to agree, and what proves afterwards that the answer is to this question. */
export interface AuthorizationRequest {
  readonly url: string
  readonly state: string
  /** RFC 7636: whoever sends the code shows it. */
  readonly codeVerifier: string
}

/** What the server sent with the person who came back. */
export interface AuthorizationAnswer {
  readonly code: string
  /** Of the request, where it was one of ours. */
  readonly codeVerifier: string | undefined
  /** As it was in the request. */
  readonly redirectUri: string
}

/**
 * The client of an authorization server. Every call throws AppError `unavailable` when the server does not answer in time, or answers what it should
 * not. No error carries a token.
 */
export interface OauthClient {
  /**
   * Makes a new request.
   * @param authorizationUrl the authorization endpoint; its query stays
   * @param more further parameters
   */
  requestAuthorization(
    authorizationUrl: string,
    redirectUri: string,
    more?: Readonly<Record<string, string>>,
  ): Promise<AuthorizationRequest>
  /** A code is good for one exchange. Who sends it has checked state and issuer. */
  exchange(answer: AuthorizationAnswer): Promise<Tokens | 'refused'>
  /** Where the answer has no refresh token, the one before it stays good. */
  refresh(refreshToken: string): Promise<Tokens | 'refused'>
  /** Ends the access of a refresh token, or of an access token. */
  revoke(token: string): Promise<void>
  /** What `read` makes of the answer to a GET with the token. What it throws is `unavailable` as well. */
  resource<T>(accessToken: string, url: string, read: (response: Response) => Promise<T>): Promise<T>
}

/** RFC 6749 5.1 lets a server leave the lifetime out. */
const assumedLifetimeSeconds = 3_600
/** PostgreSQL holds more, but no token lives longer than ten years. */
const longestLifetimeSeconds = 10 * 365 * 86_400

/** By oauth4webapi: authorization codes with PKCE (RFC 6749 4.1, RFC 7636), refresh (RFC 6749 6), revocation (RFC 7009). @param fetch the guarded one */
export function oauthClient(place: OauthServer, fetch: OutboundFetch): OauthClient {
  const { name, tokenUrl, revocationUrl, issuer, clientId, clientSecret } = place
  const server: oauth.AuthorizationServer = {
    issuer: issuer ?? tokenUrl,
    token_endpoint: tokenUrl,
    ...(revocationUrl !== undefined && { revocation_endpoint: revocationUrl }),
  }
  const client = { client_id: clientId }
  const authentication = place.authentication === 'post' ? oauth.ClientSecretPost(clientSecret) : oauth.ClientSecretBasic(clientSecret)
  // The configuration decides where plain text may be spoken.
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
        // State and issuer have been checked: they came through the request of a person, not with the code.
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

/** @throws AppError `unavailable`, unless the grant itself was refused (RFC 6749 5.2) */
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

/** Errors of the library carry the answer, in which there may be tokens: only what they say of it goes on. */
async function answered<T>(name: string, request: () => Promise<T>): Promise<T> {
  try {
    return await request()
  } catch (error) {
    const { message, code } = error as { message: string; code?: string }
    const refusal = error instanceof oauth.ResponseBodyError && /^[a-z_]{1,40}$/.test(error.error) ? ` (${error.error})` : ''
    throw unavailable(Object.assign(new Error(`${name}: ${message}${refusal}`), { code }))
  }
}
