import { defineJob } from '@caseway/kit/jobs'

/** Tokens, and which of them: after a refresh they have another revision. */
export interface TokensAt {
  readonly tokenId: string
  readonly revision: number
}

/** What is due for tokens: a refresh, or their revocation. For the same tokens one at a time: the lease of the job is the lock on them. */
export const tokenJob = defineJob<TokensAt>({ name: 'platform-tokens', key: ({ tokenId }) => tokenId, retry: { mostMs: 300_000 } })

/** The revocation of tokens whose office is deleted, and its jobs with it. */
export const lastRevocationJob = defineJob<{ tokenId: string }>({ name: 'platform-token-revocation', retry: { mostMs: 300_000 } })
