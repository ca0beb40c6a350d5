import type { Limit } from '@caseway/kit/limits'
import { Counter, type Logger, type Metrics } from '@caseway/kit/observability'
import type { PurgeRule } from '@caseway/kit/purge'
import type { Secrets } from '@caseway/kit/secrets'
import type { AccountService } from '../accounts/account.service.js'
import type { ApplicationService } from '../applications/application.service.js'
import type { Audit } from '../audit/audit-event.service.js'
import type { Db } from '../database.js'
import type { KeyRing } from '../keys/key-ring.service.js'
import type { LoginFailures } from '../limits/login-failures.js'
import type { PasswordHasher } from '../passwords/password-hasher.js'
import type { RightsService } from '../roles/rights.service.js'
import type { SecondFactorService } from '../second-factors/second-factor.service.js'
import type { SessionService } from '../sessions/session.service.js'
import { accessTokenService } from './access-token.service.js'
import { knownAddressRepository, knownMs } from './known-address.repository.js'
import { refreshService } from './refresh.service.js'
import { signInService } from './sign-in.service.js'
import { tokenRepository } from './token.repository.js'
import { type EncodeRole, tokenRoutes } from './token.routes.js'
import { type TokenSettings, tokenService } from './token.service.js'

interface Dependencies {
  readonly settings: TokenSettings
  readonly accounts: AccountService
  readonly applications: ApplicationService
  readonly sessions: SessionService
  readonly rights: RightsService
  readonly ring: KeyRing
  readonly secrets: Secrets
  readonly hasher: PasswordHasher
  readonly secondFactors: SecondFactorService
  readonly limits: { readonly loginFailures: LoginFailures; readonly tokenRequests: Limit }
  readonly encodeRole: EncodeRole
  readonly audit: Audit
  readonly log: Logger
  readonly metrics: Pick<Metrics, 'registry'>
}

/** Access tokens and refresh tokens: signing in, refreshing, signing out. */
export function wireTokens(db: Db, dependencies: Dependencies) {
  const { settings, accounts, applications, sessions, rights, ring, secrets, hasher, limits, audit, log, metrics } = dependencies
  const reuses = new Counter({
    name: 'refresh_token_reuse_total',
    help: 'Sessions ended because a refresh token was reused',
    registers: [metrics.registry],
  })
  const accessTokens = accessTokenService({ ring, permissionsOf: rights.ofAccount, settings })
  const parts = { accounts, accessTokens, sessions, tokens: tokenRepository(db), settings, audit }
  const signIn = signInService({
    ...parts,
    knownAddresses: knownAddressRepository(db, secrets.digests('known-addresses')),
    secondFactors: dependencies.secondFactors,
    hasher,
    failures: limits.loginFailures,
  })
  const refresh = refreshService({ ...parts, digests: secrets.digests('refresh-tokens'), log, reuses })
  const tokens = tokenService({ applications, sessions, audit, accessTokens, signIn, refresh, settings })
  return {
    routes: tokenRoutes(tokens, limits.tokenRequests, dependencies.encodeRole),
    retention: [{ table: 'known_addresses', column: 'seen', keepMs: knownMs }] satisfies PurgeRule[],
  }
}
