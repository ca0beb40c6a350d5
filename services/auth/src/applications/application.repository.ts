import { onViolation, platform } from '@caseway/kit/database'
import type { Db } from '../database.js'
import { type Application, type ApplicationKind, applicationExists } from './application.js'

interface NewApplication {
  readonly clientId: string
  readonly kind: ApplicationKind
  readonly name: string
  readonly secretHash: Uint8Array<ArrayBuffer> | null
}

export const applicationRepository = (db: Db) => ({
  find: (clientId: string): Promise<Application | null> =>
    db.read(platform).application.findFirst({ where: { clientId } }) as Promise<Application | null>,

  create: (application: NewApplication) =>
    db
      .write(platform, (tx) => tx.application.create({ data: application }))
      .catch((error) => {
        throw onViolation(error, 'applications_client_id_key', applicationExists(application.clientId))
      }),

  setSecret: (clientId: string, secretHash: Uint8Array<ArrayBuffer>) =>
    db.write(platform, (tx) => tx.application.updateMany({ where: { clientId }, data: { secretHash } })),

  /** @returns false when there is none */
  remove: async (clientId: string): Promise<boolean> => {
    const { count } = await db.write(platform, (tx) => tx.application.deleteMany({ where: { clientId } }))
    return count === 1
  },
})

export type ApplicationRepository = ReturnType<typeof applicationRepository>
