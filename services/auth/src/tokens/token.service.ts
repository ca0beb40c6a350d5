import { randomUUID } from 'node:crypto'
import { type Audience, type Caller, roles, subjectKey, subjectOf } from '@caseway/kit/caller'
import type { Logger } from '@caseway/kit/observability'
import jwt from 'jsonwebtoken'
import type { Account } from '../accounts/account.js'
import type { AccountService } from '../accounts/account.service.js'
import type { Application } from '../applications/application.js'
import type { ApplicationService } from '../applications/application.service.js'
import type { KeyRing } from '../keys/key-ring.service.js'
import type { Secrets } from '../keys/secrets.js'
import { type LoginFailures, signInName } from '../limits/login-failures.js'
import type { AuthMetrics } from '../metrics.js'
import type { PasswordHasher } from '../passwords/password-hasher.js'
import type { Permission } from '../roles/right.js'
import type { SessionService } from '../sessions/session.service.js'
import { networksOf } from './client-address.js'
import { judge, newRefreshToken } from './refresh-token.js'
import type { TokenRepository } from './token.repository.js'
import { TokenError } from './token-error.js'
import type { TokenRequest } from './token-request.js'

export interface IssuedToken {
  readonly accessToken: string
  readonly expiresIn: number
  readonly refreshToken: string | null
  readonly account: Pick<Account, 'userId' | 'customerId' | 'userRole'>
  readonly ofRole: readonly Permission[]
  readonly ofUser: readonly Permission[]
}

export interface TokenSettings {
  readonly issuer: string
  readonly accessTokenMs: number
  readonly refreshTokenMs: number
}

interface Parts {
  readonly accounts: AccountService
  readonly applications: ApplicationService
  readonly sessions: SessionService
  readonly tokens: TokenRepository
  readonly permissionsOf: (account: Account) => Promise<Pick<IssuedToken, 'ofRole' | 'ofUser'>>
  readonly ring: KeyRing
  readonly secrets: Secrets
  readonly hasher: PasswordHasher
  readonly failures: LoginFailures
  readonly settings: TokenSettings
  readonly log: Logger
  readonly metrics: Pick<AuthMetrics, 'refreshReuse'>
}

type Subject = Pick<Account, 'audience' | 'userId' | 'customerId' | 'role'>

/** One answer for whoever cannot sign in, whatever the reason. */
const noSuchLogin = () => new TokenError('invalid_grant', 'The user name or the password is not right.')
const noSuchToken = () => new TokenError('invalid_grant', 'The refresh token is not valid.')
const refused = { account: null, reused: null } as const
const noSuchClient = () => new TokenError('invalid_client', 'The client is not known, or did not authenticate.')

export function tokenService(parts: Parts) {
  const { accounts, applications, sessions, tokens, permissionsOf, ring, secrets, hasher, failures, settings, log, metrics } = parts

  const expiresInSeconds = () => settings.accessTokenMs / 1000

  const sign = ({ audience, userId, customerId, role }: Subject, sessionId: string): string => {
    const claims = { customer_id: customerId === null ? null : String(customerId), role: roles.indexOf(role), sid: sessionId }
    const { kid, privateKey } = ring.current()
    return jwt.sign(claims, privateKey, {
      ...{ algorithm: 'RS256', keyid: kid, issuer: settings.issuer, audience, subject: String(userId) },
      ...{ expiresIn: expiresInSeconds(), jwtid: randomUUID() },
    })
  }
  const issued = async (account: Account, sessionId: string, refreshToken: string | null): Promise<IssuedToken> => ({
    accessToken: sign(account, sessionId),
    expiresIn: expiresInSeconds(),
    refreshToken,
    account,
    ...(await permissionsOf(account)),
  })
  const refreshExpiry = (now: Date) => new Date(Number(now) + settings.refreshTokenMs)

  const byPassword = async (request: TokenRequest, application: Application, audience: Audience, address: string) => {
    const attempt = { account: signInName(audience, request.username), networks: networksOf(address) }
    await failures.check(attempt)
    const account = await accounts.byLogin(audience, request.username)
    const right = await hasher.matches(account?.passwordHash ?? null, request.password)
    if (!account?.active || !right) {
      await failures.note(attempt)
      throw noSuchLogin()
    }
    // Of many tries at once only the first count, also when one of the others is right.
    await failures.check(attempt)
    const now = new Date()
    const sessionId = randomUUID()
    const refreshToken = newRefreshToken()
    await tokens.exchanging(async () => {
      if (!(await accounts.noteLogin(account, now))) throw noSuchLogin()
      const expires = refreshExpiry(now)
      await sessions.create({ id: sessionId, audience, subject: subjectOf(account), applicationId: application.id, expires })
      await tokens.add(refreshToken, sessionId, expires)
    })
    await failures.clear(attempt)
    return issued(account, sessionId, refreshToken)
  }

  /** The account and the next token, or why there is none: a refusal must not undo that the family was ended. */
  const exchange = async (token: string, application: Application, audience: Audience) => {
    const successor = secrets.successor(token)
    const presented = await tokens.present(token, successor)
    if (!presented || presented.session.applicationId !== application.id || presented.session.audience !== audience) return refused
    const now = new Date()
    const verdict = judge(presented, now)
    if (verdict === 'refuse') return refused
    const { id: sessionId, userId } = presented.session
    const account = verdict === 'stolen' ? null : await accounts.byId({ kind: audience === 'client' ? 'client' : 'employee', id: userId })
    if (!account?.active) {
      await sessions.end(sessionId)
      return verdict === 'stolen'
        ? { account: null, reused: { sessionId, subject: subjectKey({ kind: audience === 'client' ? 'client' : 'employee', id: userId }) } }
        : refused
    }
    if (verdict === 'exchange') await tokens.exchange(token, successor, sessionId, now, refreshExpiry(now))
    return { account, sessionId, successor, reused: null }
  }

  const byRefreshToken = async (request: TokenRequest, application: Application, audience: Audience) => {
    const exchanged = await tokens.exchanging(() => exchange(request.refreshToken, application, audience))
    if (exchanged.reused) {
      // After the transaction, which may have begun more than once.
      metrics.refreshReuse.inc()
      log.warn(exchanged.reused, 'a refresh token was used again, and its session ended')
    }
    if (!exchanged.account) throw noSuchToken()
    return issued(exchanged.account, exchanged.sessionId, exchanged.successor)
  }

  const byCredentials = async ({ id: applicationId }: Application, audience: Audience): Promise<IssuedToken> => {
    const subject = { audience, userId: applicationId, customerId: null, role: 'technical', userRole: null } as const
    const sessionId = randomUUID()
    const expires = new Date(Date.now() + settings.accessTokenMs)
    await sessions.create({ id: sessionId, audience, subject: subjectOf(subject), applicationId, expires })
    return {
      accessToken: sign(subject, sessionId),
      expiresIn: expiresInSeconds(),
      refreshToken: null,
      account: subject,
      ofRole: [],
      ofUser: [],
    }
  }

  return {
    /** @throws TokenError, or AppError `limit` after too many failures */
    async grant(request: TokenRequest, audience: Audience, address: string): Promise<IssuedToken> {
      const application = await applications.authenticated(request.clientId, request.clientSecret)
      if (!application) throw noSuchClient()
      const technical = application.kind === 'technical'
      const allowed = request.grantType === 'client_credentials' ? technical && audience === 'expert' : !technical
      if (!allowed) throw new TokenError('unauthorized_client', 'The client may not use this grant_type here.')
      if (request.grantType === 'password') return byPassword(request, application, audience, address)
      if (request.grantType === 'refresh_token') return byRefreshToken(request, application, audience)
      return byCredentials(application, audience)
    },

    /** Ends the whole family of the token that signs out. */
    signOut: (caller: Caller): Promise<void> => sessions.end(caller.sessionId),
  }
}

export type TokenService = ReturnType<typeof tokenService>
