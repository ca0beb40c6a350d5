import type { Values } from '@caseway/kit/config'
import type { Peers } from '@caseway/kit/grpc'
import type { Logger, Metrics } from '@caseway/kit/observability'
import type { Db } from '../database.js'
import { clientAccounts, clientCards } from './client-accounts.client.js'
import { clientDataChangeJob } from './client-data-change.job.js'
import { clientDataChangeRepository } from './client-data-change.repository.js'
import { endedChangesOf } from './ended-changes.client.js'
import { partnerClientDataRoutes } from './partner-client-data.routes.js'
import { partnerClientDataService } from './partner-client-data.service.js'
import { partnerClientDataMetrics } from './partner-client-data-metrics.js'
import { scimSingleSignOn } from './scim-single-sign-on.client.js'
import type { SingleSignOn } from './single-sign-on.js'
import type { singleSignOnVariables } from './single-sign-on-variables.js'

interface Dependencies extends Peers {
  readonly config: Values<typeof singleSignOnVariables>
  readonly log: Logger
  readonly metrics: Metrics
}

/** The retention of ended changes, in milliseconds. */
const keepMs = 7 * 86_400_000

function singleSignOnOf({ config, onClose }: Dependencies): SingleSignOn | undefined {
  const { ssoUrl: url, ssoToken: token, ssoTimeoutMs: timeoutMs } = config
  if (url === undefined) return undefined
  const singleSignOn = scimSingleSignOn({ url, token, timeoutMs })
  onClose('single sign-on system', singleSignOn.close)
  return singleSignOn
}

/** Changes of client data by the accounting platform. */
export function wirePartnerClientData(db: Db, dependencies: Dependencies) {
  const { log } = dependencies
  const changes = clientDataChangeRepository(db)
  const accounts = clientAccounts(dependencies)
  const cards = clientCards(dependencies)
  const oldest = async () => (await changes.unfinished(1))[0]?.since ?? null
  const { count: onEnd } = partnerClientDataMetrics(dependencies.metrics, oldest)
  const ended = endedChangesOf(db)
  const singleSignOn = singleSignOnOf(dependencies)
  return {
    part: ended,
    routes: partnerClientDataRoutes(partnerClientDataService(changes, accounts, ended)),
    job: clientDataChangeJob({ changes, accounts, cards, ended, singleSignOn, onEnd, log }),
    retention: [{ table: 'client_data_changes', column: 'finished', keepMs }],
    unfinished: changes.unfinished,
  }
}
