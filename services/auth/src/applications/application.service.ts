import pMemoize from 'p-memoize'
import type { SessionService } from '../sessions/session.service.js'
import {
  type Application,
  type ApplicationKind,
  applicationWithoutSecret,
  hashSecret,
  hasSecret,
  noSuchApplication,
  randomSecret,
} from './application.js'
import type { ApplicationRepository } from './application.repository.js'

export const applicationService = (applications: ApplicationRepository, sessions: Pick<SessionService, 'endOfApplication'>) => {
  /** Many who ask for tokens at once ask once for their application. */
  const findOnce = pMemoize(applications.find, { cache: false })
  const get = async (clientId: string): Promise<Application> => {
    const application = await applications.find(clientId)
    if (!application) throw noSuchApplication(clientId)
    return application
  }
  return {
    /** The application with this `client_id`; null where it is unknown, or did not authenticate: a technical application must send its secret. */
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

    /**
     * A new secret in place of one that was lost or disclosed. What was signed in with the old one ends.
     * @throws AppError `not-found`, `conflict` where it can keep no secret
     */
    async renewSecret(clientId: string): Promise<string> {
      const { id, kind } = await get(clientId)
      if (kind === 'first_party') throw applicationWithoutSecret(clientId)
      const secret = randomSecret()
      await applications.setSecret(clientId, hashSecret(secret))
      await sessions.endOfApplication(id)
      return secret
    },

    /**
     * Ends every session that was begun with it.
     * @returns how many have ended
     * @throws AppError `not-found`
     */
    async remove(clientId: string): Promise<number> {
      const { id } = await get(clientId)
      if (!(await applications.remove(clientId))) throw noSuchApplication(clientId)
      return sessions.endOfApplication(id)
    },
  }
}

export type ApplicationService = ReturnType<typeof applicationService>
