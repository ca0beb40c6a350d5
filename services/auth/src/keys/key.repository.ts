import { platform, resealColumn } from '@caseway/kit/database'
import type { Sealer } from '@caseway/kit/secrets'
import type { Db, Tx } from '../database.js'
import { exportPrivate, importPrivate, jwkOf, type SigningKey } from './signing-key.js'

/** Orders the rotations of all copies. */
const rotationLock = 727_001

/** Notified with each change of the keys. */
const changes = 'signing_keys'

export const keyRepository = (db: Db, sealer: Sealer) => {
  /** A key never changes: each is opened once. */
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
    /** Every key that a token may still be signed with. */
    async list(): Promise<SigningKey[]> {
      const rows = await db.read(platform).signingKey.findMany({ where: { OR: [{ expires: null }, { expires: { gt: new Date() } }] } })
      const keys = rows.map(({ kid, privateKey, signsFrom, expires }) => ({ ...open(kid, privateKey), kid, signsFrom, expires }))
      for (const kid of opened.keys()) if (!keys.some((key) => key.kid === kid)) opened.delete(kid)
      return keys
    },

    /** Calls `changed` after each change of the keys by whatever copy, and when one may have been missed. */
    onChange: (changed: () => void) => db.listen(changes, { onPayload: changed, onReconnect: changed }),

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
        await create(tx, key)
        await notify(tx)
      }),

    /** Keeps a new key in place of all others: what they have signed is good no more. */
    replaceAll: (key: SigningKey): Promise<void> =>
      db.write(platform, async (tx) => {
        await tx.signingKey.deleteMany({})
        await create(tx, key)
        await notify(tx)
      }),

    /** @returns how many keys a previous secret had sealed */
    reseal: (): Promise<number> =>
      resealColumn(db, { table: 'signing_keys', key: { column: 'kid', type: 'text' }, column: 'private_key', sealer }),
  }
}

export type KeyRepository = ReturnType<typeof keyRepository>
