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
  /** Concurrent requests of one application share one query. */
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

    /** Registers an application. @returns its secret, which is not stored and cannot be shown again; null for a first-party application */
    async create(clientId: string, kind: ApplicationKind, name: string): Promise<{ secret: string | null }> {
      const secret = kind === 'technical' ? randomSecret() : null
      await applications.create({ clientId, kind, name, secretHash: secret === null ? null : hashSecret(secret) })
      return { secret }
    },

    /**
     * Replaces a lost or disclosed secret, and ends the sessions that were begun with the application.
     * @throws AppError `not-found`, `conflict` for a first-party application, which has none
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
     * Removes an application, and ends every session that was begun with it.
     * @returns how many sessions have ended
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
