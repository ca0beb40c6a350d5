import { defineJob } from '@caseway/kit/jobs'

/** Tokens at a revision, which each refresh increments. */
export interface TokensAt {
  readonly tokenId: string
  readonly revision: number
}

/** Refreshes or revokes tokens. Jobs for the same tokens run one at a time, so that the lease of the job is the lock on them. */
export const tokenJob = defineJob<TokensAt>({ name: 'platform-tokens', key: ({ tokenId }) => tokenId, retry: { maxMs: 300_000 } })

/** Revokes the tokens of a deleted office, whose own jobs are deleted as well. */
export const lastRevocationJob = defineJob<{ tokenId: string }>({ name: 'platform-token-revocation', retry: { maxMs: 300_000 } })
