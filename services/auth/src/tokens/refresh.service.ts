import { type Audience, subjectKey } from '@caseway/kit/caller'
import { unavailable } from '@caseway/kit/errors'
import type { Counter, Logger } from '@caseway/kit/observability'
import type { Digests } from '@caseway/kit/secrets'
import type { Account } from '../accounts/account.js'
import type { AccountService } from '../accounts/account.service.js'
import type { Application } from '../applications/application.js'
import type { Audit } from '../audit/audit-event.service.js'
import type { SessionService } from '../sessions/session.service.js'
import type { AccessTokenService, IssuedToken } from './access-token.service.js'
import { classifyRefreshToken, expiryOf, type FamilySettings } from './refresh-token.js'
import type { Presented, TokenRepository } from './token.repository.js'
import { TokenError } from './token-error.js'

interface Parts {
  readonly accounts: Pick<AccountService, 'byId'>
  readonly accessTokens: AccessTokenService
  readonly sessions: Pick<SessionService, 'end'>
  readonly tokens: TokenRepository
  /** Derives the successor of a refresh token. */
  readonly digests: Digests
  readonly settings: FamilySettings
  readonly audit: Audit
  readonly log: Logger
  /** Counts the sessions that end because a token was reused. */
  readonly reuses: Pick<Counter, 'inc'>
}

const noSuchToken = () => new TokenError('invalid_grant', 'The refresh token is not valid.')

/** Exchanges refresh tokens. Only the first use of a token writes, so that a repetition within the grace period waits for no lock. */
export const refreshService = ({ accounts, accessTokens, sessions, tokens, digests, settings, audit, log, reuses }: Parts) => {
  const endStolen = async ({ id: sessionId, subject }: Presented['session']) => {
    if (!(await sessions.end(sessionId))) return
    const customerId = (await accounts.byId(subject))?.customerId ?? null
    await audit.record({ kind: 'session.stolen', actor: null, customerId, subject })
    reuses.inc()
    log.warn({ sessionId, subject: subjectKey(subject) }, 'a refresh token was used again, and its session ended')
  }

  const activeAccount = async ({ id, subject }: Presented['session']): Promise<Account> => {
    const account = await accounts.byId(subject)
    if (account?.active) return account
    await sessions.end(id)
    throw noSuchToken()
  }

  /**
   * @param application the requesting application, if the request names it
   * @throws TokenError `invalid_grant`
   * @throws AppError `unavailable` when only another copy of the service can repeat the successor
   */
  const exchange = async (token: string, application: Application | undefined, audience: Audience): Promise<IssuedToken> => {
    const [successor, ...others] = digests(token).map((digest) => digest.toString('base64url')) as [string, ...string[]]
    const presented = await tokens.present(token, [successor, ...others])
    const { session } = presented ?? {}
    if (!presented || !session || session.audience !== audience) throw noSuchToken()
    if (application && session.applicationId !== application.id) throw noSuchToken()
    const now = new Date()
    const verdict = classifyRefreshToken(presented, now)
    if (verdict === 'stolen') await endStolen(session)
    if (verdict === 'stolen' || verdict === 'refuse') throw noSuchToken()

    const account = await activeAccount(session)
    if (verdict === 'repeat') {
      // The successor was derived by another copy of the service, with a secret that this copy does not have yet; that copy can repeat it.
      if (presented.successor === undefined) throw unavailable()
      return accessTokens.ofPerson(account, session.id, presented.successor)
    }
    const first = await tokens.exchange(token, successor, session, now, expiryOf(now, session.created, settings))
    // After a lost race the next read sees what the first request has left: a used token, or an ended family.
    return first ? accessTokens.ofPerson(account, session.id, successor) : exchange(token, application, audience)
  }

  return exchange
}
