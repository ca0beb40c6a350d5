import pMemoize from 'p-memoize'
import { type Application, type ApplicationKind, hashSecret, hasSecret, randomSecret } from './application.js'
import type { ApplicationRepository } from './application.repository.js'

export const applicationService = (applications: ApplicationRepository) => {
  /** Many who ask for tokens at once ask once for their application. */
  const findOnce = pMemoize(applications.find, { cache: false })
  return {
    /** Null for one that is not known, or did not authenticate: one that has a secret must show it, one that can keep none shows none. */
    async authenticated(clientId: string, secret = ''): Promise<Application | null> {
      const application = await findOnce(clientId)
      const good = application !== null && (application.kind === 'first_party' || hasSecret(application, secret))
      return good ? application : null
    },

    exists: async (clientId: string): Promise<boolean> => (await applications.find(clientId)) !== null,

    /** The secret is shown this once; an application of our own has none. */
    async create(clientId: string, kind: ApplicationKind, name: string): Promise<{ secret: string | null }> {
      const secret = kind === 'technical' ? randomSecret() : null
      await applications.create({ clientId, kind, name, secretHash: secret === null ? null : hashSecret(secret) })
      return { secret }
    },

    /** A new secret in place of one that was lost or disclosed. */
    async renewSecret(clientId: string): Promise<string> {
      const secret = randomSecret()
      await applications.setSecret(clientId, hashSecret(secret))
      return secret
    },
  }
}

export type ApplicationService = ReturnType<typeof applicationService>
