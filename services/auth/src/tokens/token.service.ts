import { randomUUID } from 'node:crypto'
import { type Audience, type Caller, subjectOf } from '@caseway/kit/caller'
import pMemoize from 'p-memoize'
import type { Application } from '../applications/application.js'
import type { ApplicationService } from '../applications/application.service.js'
import type { Audit } from '../audit/audit-event.service.js'
import type { SessionService } from '../sessions/session.service.js'
import type { AccessTokenService, AccessTokenSettings, IssuedToken } from './access-token.service.js'
import type { refreshService } from './refresh.service.js'
import type { FamilySettings } from './refresh-token.js'
import type { Origin, signInService } from './sign-in.service.js'
import { TokenError } from './token-error.js'
import type { TokenRequest } from './token-request.js'

export type TokenSettings = AccessTokenSettings & FamilySettings

interface Parts {
  readonly applications: ApplicationService
  readonly sessions: SessionService
  readonly accessTokens: AccessTokenService
  readonly signIn: ReturnType<typeof signInService>
  readonly refresh: ReturnType<typeof refreshService>
  readonly settings: TokenSettings
  readonly audit: Audit
}

const noSuchClient = () => new TokenError('invalid_client', 'The client is not known, or did not authenticate.')

export function tokenService({ applications, sessions, accessTokens, signIn, refresh, settings, audit }: Parts) {
  const byCredentials = async ({ id: applicationId }: Application, audience: Audience): Promise<IssuedToken> => {
    const secondFactor = { enabled: false, required: false }
    const who = {
      userId: applicationId,
      customerId: null,
      role: 'technical',
      userRole: null,
      passwordExpired: false,
      secondFactor,
    } as const
    const id = randomUUID()
    const expires = new Date(Date.now() + settings.accessTokenMs)
    const subject = subjectOf(who)
    await sessions.create({ id, audience, subject, applicationId, expires })
    await audit.record({
      kind: 'session.started',
      customerId: null,
      actor: subject,
      subject,
      details: { grant_type: 'client_credentials' },
    })
    return accessTokens.ofApplication({ ...who, audience }, id)
  }

  const applicationOf = async ({ clientId = '', clientSecret, grantType }: TokenRequest, audience: Audience): Promise<Application> => {
    const application = await applications.authenticated(clientId, clientSecret)
    if (!application) throw noSuchClient()
    const technical = application.kind === 'technical'
    const allowed = grantType === 'client_credentials' ? technical && audience === 'expert' : !technical
    if (!allowed) throw new TokenError('unauthorized_client', 'The client may not use this grant_type here.')
    return application
  }

  const byRefreshToken = async (request: TokenRequest, audience: Audience) => {
    const application = request.clientId === undefined ? undefined : await applicationOf(request, audience)
    return refresh(request.refreshToken, application, audience)
  }

  /** Concurrent equal requests are processed once, and all get the same answer. */
  const byRefreshTokenOnce = pMemoize(byRefreshToken, { cache: false, cacheKey: JSON.stringify })

  return {
    /**
     * Issues tokens for one of the grants.
     * @throws TokenError
     * @throws AppError `limit` after too many failures, `unavailable` when too many wait
     */
    async grant(request: TokenRequest, audience: Audience, origin: Origin): Promise<IssuedToken> {
      if (request.grantType === 'refresh_token') return byRefreshTokenOnce(request, audience)
      const application = await applicationOf(request, audience)
      return request.grantType === 'password' ? signIn(request, application, audience, origin) : byCredentials(application, audience)
    },

    /** Ends the session of the caller's token. */
    async signOut(caller: Caller): Promise<void> {
      if (await sessions.end(caller.sessionId)) await audit.record({ kind: 'session.ended', subject: subjectOf(caller) })
    },
  }
}

export type TokenService = ReturnType<typeof tokenService>
