import { defineJob } from '@caseway/kit/jobs'
import type { Tokens } from '../accounting-platform/accounting-platform.js'

/** Tokens, and which of them: after a refresh they have another revision. */
export interface TokensAt {
  readonly tokenId: string
  readonly revision: number
}

/** What is due for tokens: a refresh, or their revocation. For the same tokens one at a time: the lease of the job is the lock on them. */
export const tokenJob = defineJob<TokensAt>({ name: 'platform-tokens', key: ({ tokenId }) => tokenId, retry: { mostMs: 300_000 } })

const marginMs = 300_000

/** When tokens are refreshed: five minutes before they expire, short-lived ones when a fifth of their life is left. */
export function refreshTime(now: Date, { lifetimeSeconds }: Pick<Tokens, 'lifetimeSeconds'>): Date {
  const lifetimeMs = lifetimeSeconds * 1000
  return new Date(Number(now) + lifetimeMs - Math.min(marginMs, lifetimeMs / 5))
}
