import type { AuthorizationRequest, Tokens } from '@caseway/kit/oauth'

/** A company of an account on the external accounting platform. */
export interface Company {
  readonly companyId: string
  readonly name: string
  readonly active: boolean
  /** Whether it uses flat-rate bookkeeping, with one of `lumpTaxRates`. */
  readonly flatRate: boolean
  /** Percentages as decimal texts; empty without flat-rate bookkeeping. */
  readonly lumpTaxRates: readonly string[]
  /** One of `lumpTaxRates`; without meaning where they are empty. */
  readonly defaultLumpTaxRate: string
}

/** An authorization code, and the code verifier of its request. */
export interface AuthorizationAnswer {
  readonly code: string
  /** Undefined where the request was not made by `requestAuthorization`. */
  readonly codeVerifier: string | undefined
}

/**
 * The external accounting platform. Every call rejects with AppError `unavailable` where the platform does not answer in time, answers something invalid, or
 * is not configured.
 */
export interface AccountingPlatform {
  /** Whether tokens can be revoked: the platform has a revocation endpoint. */
  readonly revokes: boolean
  /** Creates an authorization request; see `OauthClient`. */
  requestAuthorization(): Promise<AuthorizationRequest>
  /** Whether `iss` of an answer is this platform (RFC 9207 2.4). A missing one is not, where an issuer is configured. */
  isIssuer(issuer: string | undefined): boolean
  /** Exchanges a code, which is possible once. */
  exchange(answer: AuthorizationAnswer): Promise<Tokens | 'refused'>
  /** Fetches new tokens. Where they have no refresh token, the old one stays valid. */
  refresh(refreshToken: string): Promise<Tokens | 'refused'>
  /** Revokes a refresh token or an access token. */
  revoke(token: string): Promise<void>
  /** The companies of the account. */
  companies(accessToken: string): Promise<Company[]>
}
