import type { AuthorizationRequest, Tokens } from '@caseway/kit/oauth'

/** A company of an account on the external accounting platform. */
export interface Company {
  readonly companyId: string
  readonly name: string
  readonly active: boolean
  /** It uses flat-rate bookkeeping, at one of `lumpTaxRates`. */
  readonly flatRate: boolean
  /** Percentages as decimal texts; none where it does not use flat-rate bookkeeping. */
  readonly lumpTaxRates: readonly string[]
  /** Means something only beside rates. */
  readonly defaultLumpTaxRate: string
}

/** What the platform sent with the person who came back. */
export interface AuthorizationAnswer {
  readonly code: string
  /** Of the request, where it was one of ours. */
  readonly codeVerifier: string | undefined
}

/**
 * The external accounting platform. Every call throws AppError `unavailable` when the platform does not answer in time, answers what it should
 * not, or is not configured.
 */
export interface AccountingPlatform {
  /** Whether it takes tokens back. */
  readonly revokes: boolean
  /** Makes a new request. */
  requestAuthorization(): Promise<AuthorizationRequest>
  /** Whether `issuer`, which came with a code, is this platform; where the platform has one, none is not (RFC 9207 2.4). */
  isIssuer(issuer: string | undefined): boolean
  /** A code is good for one exchange. */
  exchange(answer: AuthorizationAnswer): Promise<Tokens | 'refused'>
  /** Where the answer has no refresh token, the one before it stays good. */
  refresh(refreshToken: string): Promise<Tokens | 'refused'>
  /** Ends the access of a refresh token, or of an access token. */
  revoke(token: string): Promise<void>
  /** The companies of the account. */
  companies(accessToken: string): Promise<Company[]>
}
