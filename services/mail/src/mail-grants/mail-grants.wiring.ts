import type { Values } from '@caseway/kit/config'
import { oauthClient } from '@caseway/kit/oauth'
import { outboundFetch } from '@caseway/kit/outbound'
import type { Secrets } from '@caseway/kit/secrets'
import type { Db } from '../database.js'
import { grantRepository } from './grant.repository.js'
import { grantService } from './grant.service.js'
import { oauthProvidersOf, type oauthProviderVariables } from './oauth-provider-variables.js'

interface Parts {
  readonly secrets: Secrets
  readonly config: Values<typeof oauthProviderVariables>
  readonly onClose: (name: string, close: () => unknown) => void
}

const answers = { timeoutMs: 4000, maxBytes: 1_048_576 }

/** Access to mailboxes by OAuth 2.0. */
export function wireMailGrants(db: Db, { secrets, config, onClose }: Parts) {
  const providers = oauthProvidersOf(config)
  // Whoever runs the installation has named these hosts, wherever they are.
  const fetch = outboundFetch({ privateHosts: providers.map(({ tokenUrl }) => new URL(tokenUrl).host), ...answers })
  onClose('mail providers', () => fetch.close())
  const grants = grantRepository(db, secrets.sealer('mail-grants'))
  return {
    grants: grantService({
      ...{ grants, providers, redirectUris: config.oauth2RedirectUris },
      clientOf: (provider) => oauthClient({ ...provider, name: `The provider ${provider.name}` }, fetch),
    }),
    reseal: grants.reseal,
  }
}
