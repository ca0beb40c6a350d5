import type { Id } from '@caseway/kit/caller'
import { resourceReads } from '@caseway/kit/database'
import { shownRecords } from '@caseway/kit/objects'
import type { Secrets } from '@caseway/kit/secrets'
import type { AccountingPlatform } from '../accounting-platform/accounting-platform.js'
import type { Db, Tx } from '../database.js'
import { authCodeRepository } from './auth-code.repository.js'
import { authCodeService } from './auth-code.service.js'
import { authorizationRepository } from './authorization.repository.js'
import { codeRetention } from './code-retention.js'
import { integrationRepository } from './integration.repository.js'
import { integrationResource } from './integration.resource.js'
import { integrationRoutes } from './integration.routes.js'
import { integrationService } from './integration.service.js'
import { tokenJobHandlers } from './token.job.js'
import { tokenRepository } from './token.repository.js'

/** The integrations of offices with the accounting platform. */
export function wireIntegrations(db: Db, { platform, secrets }: { platform: AccountingPlatform; secrets: Secrets }) {
  const codes = authCodeRepository(db)
  const tokens = tokenRepository(db, secrets.sealer('platform-tokens'))
  const authorizations = authorizationRepository(db, secrets.sealer('authorizations'))
  const integrations = integrationRepository(db, { codes, tokens })
  const service = integrationService({ integrations, authorizations, codes: authCodeService(codes), settle: codes.settleAlone, platform })
  return {
    routes: integrationRoutes(service),
    jobs: tokenJobHandlers({ tokens, integrations, platform }),
    retention: codeRetention,
    administration: { refresh: integrations.refreshNow },
    shown: shownRecords(integrationResource, resourceReads(db, integrationResource)),
    sealed: tokens.sealed,
    /** Runs in the transaction that deletes an office, in the scope of the platform. */
    onOfficeDeleted: async (tx: object, customerId: Id) => void (platform.revokes && (await tokens.releaseAll(tx as Tx, customerId))),
  }
}
