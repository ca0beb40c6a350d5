import type { Secrets } from '@caseway/kit/secrets'
import type { AccountService } from '../accounts/account.service.js'
import type { Audit } from '../audit/audit-event.service.js'
import type { Db } from '../database.js'
import type { LoginFailures } from '../limits/login-failures.js'
import type { OwnPasswordService } from '../passwords/own-password.service.js'
import type { SessionService } from '../sessions/session.service.js'
import { ownSecondFactorRoutes } from './own-second-factor.routes.js'
import { ownSecondFactorService } from './own-second-factor.service.js'
import { secondFactorRepository } from './second-factor.repository.js'
import { secondFactorService } from './second-factor.service.js'

interface Dependencies {
  readonly accounts: AccountService
  readonly sessions: SessionService
  readonly ownPasswords: OwnPasswordService
  readonly failures: LoginFailures
  readonly secrets: Secrets
  readonly audit: Audit
}

/** The second factors of employees and of clients. */
export function wireSecondFactors(db: Db, { secrets, ...dependencies }: Dependencies) {
  const factors = secondFactorRepository(db, secrets.sealer('second-factors'))
  const secondFactors = secondFactorService({ ...dependencies, factors })
  const own = ownSecondFactorService({ ...dependencies, factors, secondFactors })
  return {
    secondFactors,
    routes: {
      expert: ownSecondFactorRoutes({ path: 'user/me', audience: 'expert' }, own),
      client: ownSecondFactorRoutes({ path: 'client/me', audience: 'client' }, own),
    },
  }
}
