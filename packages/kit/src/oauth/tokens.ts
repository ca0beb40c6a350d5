/** What gives access to an account. */
export interface Tokens {
  readonly accessToken: string
  /** Null where the server gave none. */
  readonly refreshToken: string | null
  readonly lifetimeSeconds: number
}

const marginMs = 300_000

/** When tokens are refreshed: five minutes before they expire, short-lived ones when a fifth of their life is left. */
export function refreshTime(now: Date, { lifetimeSeconds }: Pick<Tokens, 'lifetimeSeconds'>): Date {
  const lifetimeMs = lifetimeSeconds * 1000
  return new Date(Number(now) + lifetimeMs - Math.min(marginMs, lifetimeMs / 5))
}
