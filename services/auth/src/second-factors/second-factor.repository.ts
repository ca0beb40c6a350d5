import { randomUUID } from 'node:crypto'
import { platform, resealColumn } from '@caseway/kit/database'
import type { Sealer } from '@caseway/kit/secrets'
import type { Person } from '../accounts/account.js'
import type { Db, Tx } from '../database.js'

/** What makes the one-time passwords of a person. */
export interface SecondFactor {
  readonly id: string
  readonly secret: Buffer
}

type Hash = Uint8Array<ArrayBuffer>

/** People of all offices, and of none, have one: the platform keeps them. Each secret is sealed for its own row. */
export const secondFactorRepository = (db: Db, sealer: Sealer) => {
  const find = ({ kind, id: userId }: Person, confirmed: boolean): Promise<SecondFactor | null> =>
    db.write(platform, async (tx) => {
      const where = { kind, userId, confirmed: confirmed ? { not: null } : null }
      const found = await tx.secondFactor.findFirst({ where })
      return found && { id: found.id, secret: sealer.open(found.secret, found.id) }
    })

  const addCodes = (tx: Tx, secondFactorId: string, hashes: readonly Hash[]) =>
    tx.recoveryCode.createMany({ data: hashes.map((hash) => ({ secondFactorId, hash })) })

  return {
    /** When it was confirmed and how many recovery codes are left; null when there is none. */
    async stateOf({ kind, id: userId }: Person) {
      const found = await db.read(platform).secondFactor.findFirst({
        where: { kind, userId, confirmed: { not: null } },
        select: { confirmed: true, _count: { select: { recoveryCodes: true } } },
      })
      return found && { confirmed: found.confirmed as Date, recoveryCodesLeft: found._count.recoveryCodes }
    },

    /** With the account locked: sign-ins of the person, and other changes of their second factor, come before or after `work`. */
    exclusively: <T>({ kind, id }: Person, work: () => Promise<T>): Promise<T> =>
      db.write(platform, async (tx) => {
        if (kind === 'client') await tx.$executeRaw`SELECT FROM clients WHERE id = ${id} FOR UPDATE`
        else await tx.$executeRaw`SELECT FROM users WHERE id = ${id} FOR UPDATE`
        return work()
      }),

    /** The one that signs in. */
    active: (person: Person) => find(person, true),

    /** The one that is being set up. */
    pending: (person: Person) => find(person, false),

    /** In place of one that was being set up before. */
    begin: ({ kind, id: userId }: Person, secret: Buffer): Promise<unknown> =>
      db.write(platform, async (tx) => {
        const id = randomUUID()
        await tx.secondFactor.deleteMany({ where: { kind, userId, confirmed: null } })
        return tx.secondFactor.create({ data: { id, kind, userId, secret: sealer.seal(secret, id) } })
      }),

    /** The one that is being set up signs in from now on, in place of the one before it. `step` is used. */
    confirm: ({ kind, id: userId }: Person, { id }: SecondFactor, step: number, codes: readonly Hash[]): Promise<unknown> =>
      db.write(platform, async (tx) => {
        await tx.secondFactor.deleteMany({ where: { kind, userId, confirmed: { not: null } } })
        await tx.secondFactor.update({ where: { id }, data: { confirmed: new Date(), lastStep: step } })
        return addCodes(tx, id, codes)
      }),

    /** @returns false when this step, or a later one, was used before: of several uses at once one is the first */
    useStep: ({ id }: SecondFactor, step: number): Promise<boolean> =>
      db.write(platform, async (tx) => {
        const used = await tx.secondFactor.updateMany({ where: { id, lastStep: { lt: step } }, data: { lastStep: step } })
        return used.count === 1
      }),

    /** @returns false when there is no such code, or when it was used before */
    useCode: ({ id: secondFactorId }: SecondFactor, hash: Hash): Promise<boolean> =>
      db.write(platform, async (tx) => (await tx.recoveryCode.deleteMany({ where: { secondFactorId, hash } })).count === 1),

    replaceCodes: ({ id: secondFactorId }: SecondFactor, codes: readonly Hash[]): Promise<unknown> =>
      db.write(platform, async (tx) => {
        await tx.recoveryCode.deleteMany({ where: { secondFactorId } })
        return addCodes(tx, secondFactorId, codes)
      }),

    /** Also one that is being set up. @returns false when there was none that signs in */
    remove: ({ kind, id: userId }: Person): Promise<boolean> =>
      db.write(platform, async (tx) => {
        await tx.secondFactor.deleteMany({ where: { kind, userId, confirmed: null } })
        return (await tx.secondFactor.deleteMany({ where: { kind, userId } })).count === 1
      }),

    /** @returns how many a previous secret had sealed */
    reseal: (): Promise<number> =>
      resealColumn(db, { table: 'second_factors', key: { column: 'id', type: 'uuid' }, column: 'secret', sealer }),
  }
}

export type SecondFactorRepository = ReturnType<typeof secondFactorRepository>
