/** The tokens of a token response (RFC 6749 5.1). */
export interface Tokens {
  readonly accessToken: string
  /** Null where the server sent none. */
  readonly refreshToken: string | null
  readonly lifetimeSeconds: number
}

const marginMs = 300_000

/** When to refresh tokens: five minutes before they expire, or, where that is later, when a fifth of their lifetime is left. */
export function refreshTime(now: Date, { lifetimeSeconds }: Pick<Tokens, 'lifetimeSeconds'>): Date {
  const lifetimeMs = lifetimeSeconds * 1000
  return new Date(Number(now) + lifetimeMs - Math.min(marginMs, lifetimeMs / 5))
}
