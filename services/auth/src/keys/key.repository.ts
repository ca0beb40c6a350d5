import { platform, resealColumn } from '@caseway/kit/database'
import type { Sealer } from '@caseway/kit/secrets'
import type { Db, Tx } from '../database.js'
import { exportPrivate, importPrivate, jwkOf, type SigningKey } from './signing-key.js'

/** Advisory lock: serializes the rotations of all copies. */
const rotationLock = 727_001

/** Channel of NOTIFY for changes of the keys. */
const changes = 'signing_keys'

export const keyRepository = (db: Db, sealer: Sealer) => {
  /** A cache by key id: a key never changes, so each is decrypted once. */
  const opened = new Map<string, ReturnType<typeof importPrivate>>()
  const open = (kid: string, privateKey: Uint8Array) => {
    const key = opened.get(kid) ?? importPrivate(sealer.open(privateKey, kid))
    opened.set(kid, key)
    return key
  }

  const notify = (tx: Tx) => tx.$executeRaw`SELECT pg_notify(${changes}, '')`

  const create = (tx: Tx, key: SigningKey) => {
    const privateKey = sealer.seal(exportPrivate(key), key.kid)
    return tx.signingKey.create({ data: { kid: key.kid, publicJwk: jwkOf(key) as object, privateKey, signsFrom: key.signsFrom } })
  }

  return {
    /** The keys that verify tokens: all that have not expired. */
    async list(): Promise<SigningKey[]> {
      const rows = await db.read(platform).signingKey.findMany({ where: { OR: [{ expires: null }, { expires: { gt: new Date() } }] } })
      const keys = rows.map(({ kid, privateKey, signsFrom, expires }) => ({ ...open(kid, privateKey), kid, signsFrom, expires }))
      for (const kid of opened.keys()) if (!keys.some((key) => key.kid === kid)) opened.delete(kid)
      return keys
    },

    /** Calls `changed` after each change of the keys by any copy, and after a reconnect, because a change may have been missed. */
    onChange: (changed: () => void) => db.listen(changes, { onPayload: changed, onReconnect: changed }),

    /** Runs `work` in a transaction that excludes the other copies, and sees what they have committed. */
    exclusively: <T>(work: () => Promise<T>): Promise<T> =>
      db.write(platform, async (tx) => {
        await tx.$executeRaw`SELECT pg_advisory_xact_lock(${rotationLock})`
        return work()
      }),

    /**
     * Stores a new key. The previous ones verify until `othersExpire`, after which they are removed; those that would sign only later than the new one are
     * deleted.
     */
    add: (key: SigningKey, othersExpire: Date): Promise<void> =>
      db.write(platform, async (tx) => {
        await tx.signingKey.deleteMany({ where: { OR: [{ expires: { lt: new Date() } }, { signsFrom: { gt: key.signsFrom } }] } })
        await tx.signingKey.updateMany({ where: { expires: null }, data: { expires: othersExpire } })
        await create(tx, key)
        await notify(tx)
      }),

    /** Replaces all keys by a new one, so that the tokens of the others are refused. */
    replaceAll: (key: SigningKey): Promise<void> =>
      db.write(platform, async (tx) => {
        await tx.signingKey.deleteMany({})
        await create(tx, key)
        await notify(tx)
      }),

    /** Encrypts the keys with the present secret. @returns how many a previous secret had encrypted */
    reseal: (): Promise<number> =>
      resealColumn(db, { table: 'signing_keys', key: { column: 'kid', type: 'text' }, column: 'private_key', sealer }),
  }
}

export type KeyRepository = ReturnType<typeof keyRepository>
