import type { Values } from '@caseway/kit/config'
import { oauthClient } from '@caseway/kit/oauth'
import { outboundFetch } from '@caseway/kit/outbound'
import type { Secrets } from '@caseway/kit/secrets'
import type { Db } from '../database.js'
import { grantRepository } from './grant.repository.js'
import { grantService } from './grant.service.js'
import type { OauthProvider } from './oauth-provider.js'
import { oauthProvidersOf, type oauthProviderVariables } from './oauth-provider-variables.js'
import { enqueueRevocation, revocationJob } from './revocation.job.js'

interface Parts {
  readonly secrets: Secrets
  readonly config: Values<typeof oauthProviderVariables>
  readonly onClose: (name: string, close: () => unknown) => void
}

const answers = { timeoutMs: 4000, maxBytes: 1_048_576 }

const hostsOf = ({ tokenUrl, revocationUrl }: OauthProvider) =>
  [tokenUrl, revocationUrl].flatMap((url) => (url === undefined ? [] : [new URL(url).host]))

/** Access to mailboxes with OAuth 2.0. */
export function wireMailGrants(db: Db, { secrets, config, onClose }: Parts) {
  const providers = oauthProvidersOf(config)
  // The operator has named these hosts, so that they may have private addresses.
  const fetch = outboundFetch({ privateHosts: providers.flatMap(hostsOf), ...answers })
  onClose('mail providers', () => fetch.close())
  const rows = grantRepository(db, secrets.sealer('mail-grants'), enqueueRevocation)
  const grants = grantService({
    ...{ grants: rows, providers, redirectUris: config.oauth2RedirectUris },
    clientOf: (provider) => oauthClient({ ...provider, name: `The provider ${provider.name}` }, fetch),
  })
  return { grants, jobs: [revocationJob({ grants: rows, revoke: grants.revoke })], sealed: rows.sealed }
}
