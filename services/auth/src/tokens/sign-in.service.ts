import { randomUUID } from 'node:crypto'
import { type Audience, type Subject, subjectOf } from '@caseway/kit/caller'
import type { Account, Person } from '../accounts/account.js'
import type { AccountService } from '../accounts/account.service.js'
import type { Application } from '../applications/application.js'
import type { Audit } from '../audit/audit-event.service.js'
import { type Attempt, type LoginFailures, signInName } from '../limits/login-failures.js'
import type { PasswordHasher } from '../passwords/password-hasher.js'
import type { SecondFactorService } from '../second-factors/second-factor.service.js'
import type { SessionService } from '../sessions/session.service.js'
import type { AccessTokenService, IssuedToken } from './access-token.service.js'
import type { KnownAddressRepository } from './known-address.repository.js'
import { expiryOf, type FamilySettings, newRefreshToken } from './refresh-token.js'
import type { TokenRepository } from './token.repository.js'
import { TokenError } from './token-error.js'
import type { TokenRequest } from './token-request.js'

/** The origin of a token request. */
export interface Origin {
  /** The networks of the client, the smallest first; see `networksOf` of kit/http. */
  readonly networks: readonly [string, ...string[]]
  /** Aborts when the client has disconnected. */
  readonly signal: AbortSignal
}

interface Parts {
  readonly accounts: Pick<AccountService, 'byLogin' | 'noteLogin'>
  readonly accessTokens: AccessTokenService
  readonly sessions: Pick<SessionService, 'create'>
  readonly tokens: TokenRepository
  readonly knownAddresses: KnownAddressRepository
  readonly secondFactors: Pick<SecondFactorService, 'judge'>
  readonly hasher: PasswordHasher
  readonly failures: LoginFailures
  readonly settings: FamilySettings
  readonly audit: Audit
}

/** The same error for every failed sign-in, whatever the reason. */
const noSuchLogin = () => new TokenError('invalid_grant', 'The user name or the password is incorrect.')

/** Returned only if the password is right. */
const secondFactorRequired = () => new TokenError('invalid_grant', 'A one-time password is required.', 'SECOND_FACTOR_REQUIRED')
const secondFactorWrong = () => new TokenError('invalid_grant', 'The one-time password is incorrect.', 'SECOND_FACTOR_WRONG')

/** For an unknown user name as many queries run as for a known one. */
const unknownSubject: Subject = { kind: 'employee', id: 0n }

export const signInService = (parts: Parts) => {
  const { accounts, accessTokens, sessions, tokens, knownAddresses, secondFactors, hasher, failures, settings, audit } = parts

  /**
   * Checks the password. To be called within the turn of the request, so that the limits are checked right before the hash is computed.
   * @throws TokenError `invalid_grant`, AppError `limit`
   */
  const authenticated = async ({ username, password }: TokenRequest, audience: Audience, networks: Origin['networks']) => {
    const account = await accounts.byLogin(audience, username)
    const known = await knownAddresses.isKnown(account ? subjectOf(account) : unknownSubject, networks[0])
    const attempt = { account: signInName(audience, username), networks, known }
    await failures.check(attempt)
    const right = await hasher.matches(account?.passwordHash ?? null, password)
    if (!account?.active || !right) {
      await failures.note(attempt)
      await refused(account)
      throw noSuchLogin()
    }
    // Of concurrent attempts no more than the limit count, even if a later one is right.
    await failures.check(attempt)
    return { account, attempt }
  }

  const refused = (account: Account | null, reason?: 'second_factor') =>
    audit.record({
      ...{ kind: 'session.refused', actor: null, customerId: account?.customerId ?? null },
      ...(account && { subject: subjectOf(account) }),
      details: { grant_type: 'password', ...(reason && { reason }) },
    })

  /** Checks the second factor; to be called with the account locked. @returns details for the audit trail */
  const requireSecondFactor = async (account: Account, otp: string | undefined, attempt: Attempt) => {
    const verdict = await secondFactors.judge(subjectOf(account) as Person, otp, attempt)
    if (verdict === 'missing') throw secondFactorRequired()
    if (verdict === 'wrong') throw secondFactorWrong()
    return verdict === 'not needed' ? {} : { second_factor: verdict }
  }

  /** Begins the session. @returns null when the account has changed since it was read */
  const begin = async (account: Account, application: Application, otp: string | undefined, attempt: Attempt) => {
    const now = new Date()
    const [id, refreshToken, expires] = [randomUUID(), newRefreshToken(), expiryOf(now, now, settings)]
    const subject = subjectOf(account)
    return tokens.beginning(async () => {
      // Locks the account until the end.
      if (!(await accounts.noteLogin(account, now))) return null
      const secondFactor = await requireSecondFactor(account, otp, attempt)
      await sessions.create({ id, audience: account.audience, subject, applicationId: application.id, expires })
      await tokens.add(refreshToken, id, expires)
      await knownAddresses.add(subject, attempt.networks[0] as string)
      await audit.record({
        kind: 'session.started',
        customerId: account.customerId,
        actor: subject,
        subject,
        details: { grant_type: 'password', ...secondFactor },
      })
      return { id, refreshToken }
    })
  }

  /** Null when the account has changed during the sign-in. */
  const signIn = async (request: TokenRequest, application: Application, audience: Audience, { networks, signal }: Origin) => {
    const { account, attempt } = await hasher.inTurn({ of: networks[0], signal }, () => authenticated(request, audience, networks))
    const begun = await begin(account, application, request.otp, attempt).catch(async (error: unknown) => {
      if (error instanceof TokenError && error.errorCode === 'SECOND_FACTOR_WRONG') await refused(account, 'second_factor')
      throw error
    })
    return begun && { account, attempt, ...begun }
  }

  /**
   * Signs a person in by user name and password.
   * @throws TokenError `invalid_grant`
   * @throws AppError `limit` after too many failures, `unavailable` when too many wait
   */
  return async (...args: Parameters<typeof signIn>): Promise<IssuedToken> => {
    // If the account changes meanwhile, for instance because a colleague assigns another role, the sign-in is repeated once.
    const begun = (await signIn(...args)) ?? (await signIn(...args))
    if (!begun) throw noSuchLogin()
    await failures.clear(begun.attempt)
    return accessTokens.ofPerson(begun.account, begun.id, begun.refreshToken)
  }
}
