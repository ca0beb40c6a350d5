import { platform } from '@caseway/kit/database'
import type { Db } from '../database.js'
import type { Secrets } from './secrets.js'
import { exportPrivate, importPrivate, jwkOf, type SigningKey } from './signing-key.js'

/** Orders the rotations of all copies. */
const rotationLock = 727_001

export const keyRepository = (db: Db, secrets: Secrets) => ({
  /** Every key that a token may still be signed with. */
  async list(): Promise<SigningKey[]> {
    const rows = await db.read(platform).signingKey.findMany({ where: { OR: [{ expires: null }, { expires: { gt: new Date() } }] } })
    return rows.map(({ kid, privateKey, signsFrom, expires }) => ({
      ...importPrivate(secrets.open(privateKey, kid)),
      kid,
      signsFrom,
      expires,
    }))
  },

  /** One copy at a time: `work` sees what the one before it left. */
  exclusively: <T>(work: () => Promise<T>): Promise<T> =>
    db.write(platform, async (tx) => {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(${rotationLock})`
      return work()
    }),

  /** Keeps a new key; those before it verify until `othersExpire`, then they are removed. One that would sign later never does. */
  add: (key: SigningKey, othersExpire: Date): Promise<void> =>
    db.write(platform, async (tx) => {
      await tx.signingKey.deleteMany({ where: { OR: [{ expires: { lt: new Date() } }, { signsFrom: { gt: key.signsFrom } }] } })
      await tx.signingKey.updateMany({ where: { expires: null }, data: { expires: othersExpire } })
      const privateKey = secrets.seal(exportPrivate(key), key.kid)
      await tx.signingKey.create({ data: { kid: key.kid, publicJwk: jwkOf(key) as object, privateKey, signsFrom: key.signsFrom } })
    }),
})

export type KeyRepository = ReturnType<typeof keyRepository>
