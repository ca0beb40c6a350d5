import type { Id } from '@caseway/kit/caller'
import { handleJob, type JobHandler, type Run } from '@caseway/kit/jobs'
import type { AccountingPlatform } from '../accounting-platform/accounting-platform.js'
import type { Tx } from '../database.js'
import { lastRevocationJob, type TokensAt, tokenJob } from './token.js'
import type { HeldTokens, TokenRepository } from './token.repository.js'

interface Parts {
  readonly tokens: Pick<TokenRepository, 'find' | 'replace' | 'planNext' | 'remove'>
  readonly integrations: { markBroken(tx: Tx, id: Id): Promise<void> }
  readonly platform: Pick<AccountingPlatform, 'refresh' | 'revoke'>
}

/** The jobs that refresh and revoke tokens. */
export function tokenJobHandlers({ tokens, integrations, platform }: Parts): JobHandler<unknown>[] {
  const finish = (run: Run<unknown>, work: (tx: Tx) => Promise<unknown>) => run.finish((tx) => work(tx as Tx))

  /** Revokes the refresh token where there is one, by which the platform revokes the access tokens as well (RFC 7009 2.1). */
  const revoke = async (run: Run<unknown>, { id, accessToken, refreshToken }: HeldTokens) => {
    await platform.revoke(refreshToken ?? accessToken)
    await finish(run, (tx) => tokens.remove(tx, id))
  }

  /** Refreshes the tokens. Where the platform refuses that, the integration is marked as broken. */
  const refresh = async (run: Run<TokensAt>, integrationId: Id, held: HeldTokens) => {
    const answer = held.refreshToken === null ? 'refused' : await platform.refresh(held.refreshToken)
    await finish(run, (tx) => (answer === 'refused' ? integrations.markBroken(tx, integrationId) : tokens.replace(tx, held, answer)))
  }

  const doWhatIsDue = async (run: Run<TokensAt>) => {
    const held = await tokens.find(run.scope, run.payload.tokenId)
    if (!held) return
    if (held.integrationId === null) return revoke(run, held)
    if (held.revision === run.payload.revision) return refresh(run, held.integrationId, held)
    // The tokens were refreshed while this job waited, so that its deduplication has suppressed the next job.
    return finish(run, (tx) => tokens.planNext(tx, held))
  }

  const revokeLast = async (run: Run<{ tokenId: string }>) => {
    const held = await tokens.find(run.scope, run.payload.tokenId)
    if (held) await revoke(run, held)
  }

  return [handleJob(tokenJob, doWhatIsDue), handleJob(lastRevocationJob, revokeLast)]
}
