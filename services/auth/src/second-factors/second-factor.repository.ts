import { randomUUID } from 'node:crypto'
import { platform, resealColumn } from '@caseway/kit/database'
import type { Sealer } from '@caseway/kit/secrets'
import type { Person } from '../accounts/account.js'
import type { Db, Tx } from '../database.js'

/** The secret of a person's one-time passwords. */
export interface SecondFactor {
  readonly id: string
  readonly secret: Buffer
}

/** How long a setup can be confirmed. The confirmation needs no password, and who began the setup may know only a former one. */
const setupMs = 600_000

type Hash = Uint8Array<ArrayBuffer>

/** Reads and writes in the scope of the platform, because clients belong to no office. Each secret is encrypted for its own row. */
export const secondFactorRepository = (db: Db, sealer: Sealer) => {
  const find = ({ kind, id: userId }: Person, confirmed: boolean): Promise<SecondFactor | null> =>
    db.write(platform, async (tx) => {
      const state = confirmed ? { confirmed: { not: null } } : { confirmed: null, created: { gt: new Date(Date.now() - setupMs) } }
      const where = { kind, userId, ...state }
      const found = await tx.secondFactor.findFirst({ where })
      return found && { id: found.id, secret: sealer.open(found.secret, found.id) }
    })

  const addCodes = (tx: Tx, secondFactorId: string, hashes: readonly Hash[]) =>
    tx.recoveryCode.createMany({ data: hashes.map((hash) => ({ secondFactorId, hash })) })

  return {
    /** The time of the confirmation, and the number of unused recovery codes; null if there is no confirmed second factor. */
    async stateOf({ kind, id: userId }: Person) {
      const found = await db.read(platform).secondFactor.findFirst({
        where: { kind, userId, confirmed: { not: null } },
        select: { confirmed: true, _count: { select: { recoveryCodes: true } } },
      })
      return found && { confirmed: found.confirmed as Date, recoveryCodesLeft: found._count.recoveryCodes }
    },

    /** Runs `work` with the account locked, which serializes it with sign-ins of the person and other changes of their second factor. */
    exclusively: <T>({ kind, id }: Person, work: () => Promise<T>): Promise<T> =>
      db.write(platform, async (tx) => {
        if (kind === 'client') await tx.$executeRaw`SELECT FROM clients WHERE id = ${id} FOR UPDATE`
        else await tx.$executeRaw`SELECT FROM users WHERE id = ${id} FOR UPDATE`
        return work()
      }),

    /** The confirmed second factor. */
    active: (person: Person) => find(person, true),

    /** The second factor that was begun within the last ten minutes, and is not confirmed yet. */
    pending: (person: Person) => find(person, false),

    /** Stores an unconfirmed second factor, which replaces a previous unconfirmed one. */
    begin: ({ kind, id: userId }: Person, secret: Buffer): Promise<unknown> =>
      db.write(platform, async (tx) => {
        const id = randomUUID()
        await tx.secondFactor.deleteMany({ where: { kind, userId, confirmed: null } })
        return tx.secondFactor.create({ data: { id, kind, userId, secret: sealer.seal(secret, id) } })
      }),

    /** Confirms a second factor, which replaces the one before it. The time step `step` counts as used. */
    confirm: ({ kind, id: userId }: Person, { id }: SecondFactor, step: number, codes: readonly Hash[]): Promise<unknown> =>
      db.write(platform, async (tx) => {
        await tx.secondFactor.deleteMany({ where: { kind, userId, confirmed: { not: null } } })
        await tx.secondFactor.update({ where: { id }, data: { confirmed: new Date(), lastStep: step } })
        return addCodes(tx, id, codes)
      }),

    /** Uses a time step. @returns false when it, or a later one, was used before */
    useStep: ({ id }: SecondFactor, step: number): Promise<boolean> =>
      db.write(platform, async (tx) => {
        const used = await tx.secondFactor.updateMany({ where: { id, lastStep: { lt: step } }, data: { lastStep: step } })
        return used.count === 1
      }),

    /** Uses a recovery code. @returns false when there is no such code, or it was used before */
    useCode: ({ id: secondFactorId }: SecondFactor, hash: Hash): Promise<boolean> =>
      db.write(platform, async (tx) => (await tx.recoveryCode.deleteMany({ where: { secondFactorId, hash } })).count === 1),

    replaceCodes: ({ id: secondFactorId }: SecondFactor, codes: readonly Hash[]): Promise<unknown> =>
      db.write(platform, async (tx) => {
        await tx.recoveryCode.deleteMany({ where: { secondFactorId } })
        return addCodes(tx, secondFactorId, codes)
      }),

    /** Removes the second factor, confirmed or not. @returns false when there was no confirmed one */
    remove: ({ kind, id: userId }: Person): Promise<boolean> =>
      db.write(platform, async (tx) => {
        await tx.secondFactor.deleteMany({ where: { kind, userId, confirmed: null } })
        return (await tx.secondFactor.deleteMany({ where: { kind, userId } })).count === 1
      }),

    /** Encrypts the secrets with the present one of the service. @returns how many a previous one had encrypted */
    reseal: (): Promise<number> =>
      resealColumn(db, { table: 'second_factors', key: { column: 'id', type: 'uuid' }, column: 'secret', sealer }),
  }
}

export type SecondFactorRepository = ReturnType<typeof secondFactorRepository>
