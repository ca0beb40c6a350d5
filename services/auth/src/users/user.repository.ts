import type { Employee, Id } from '@caseway/kit/caller'
import { office, platform, resourceReads } from '@caseway/kit/database'
import { noSuchRecord } from '@caseway/kit/errors'
import { outbox } from '@caseway/kit/events'
import { userTopic } from '@caseway/protos/topics'
import { accountByAddress, type Db, onAddress, type Tx } from '../database.js'
import { type NewUser, type UserChanges, type UserRow, userResource } from './user.resource.js'
import { userEvent } from './user-event.js'

interface Stored {
  readonly passwordHash?: string
  readonly passwordExpired?: boolean
}
export type StoredUser = Omit<NewUser, 'password' | 'userRoleId'> & Stored & { userRoleId: Id }
export type StoredChanges = Omit<UserChanges, 'password'> & Stored

interface Hooks {
  readonly authorize?: (before: UserRow) => Promise<void>
  readonly settle: (before: UserRow) => Promise<void>
}

const taken = (error: unknown): never => {
  throw onAddress(error, 'users')
}

/**
 * Locks the role that is assigned, so that it is not deleted before the transaction ends.
 * @throws AppError `invalid` when the office has no such role
 */
const keepRole = async (tx: Tx, customerId: Id, userRoleId: Id) => {
  const found = await tx.$queryRaw<unknown[]>`SELECT id FROM user_roles WHERE id = ${userRoleId} AND customer_id = ${customerId} FOR SHARE`
  if (found.length === 0) throw noSuchRecord('user_role_id')
}

export const userRepository = (db: Db) => {
  const reads = resourceReads(db, userResource)
  return {
    ...reads,

    /** Creates an employee. `authorize` runs before anything is written, `then` afterwards; both in the same transaction. */
    create: (customerId: Id, user: StoredUser, authorize?: () => Promise<void>, then?: (id: Id) => Promise<void>): Promise<Id> =>
      db
        .write(office(customerId), async (tx) => {
          await keepRole(tx, customerId, user.userRoleId)
          await authorize?.()
          const created = await tx.user.create({ data: { ...user, customerId } })
          await outbox(tx, userTopic, userEvent(created))
          await then?.(created.id)
          return created.id
        })
        .catch(taken),

    /** The id of the employee with this address, of any office; undefined if there is none. */
    idOf: async (email: string): Promise<Id | undefined> => (await db.query(platform, accountByAddress.user(email)))[0]?.id,

    /** Runs `work` in a transaction in which the record is locked. @throws AppError `not-found` */
    locked: <T>(caller: Employee, id: Id, work: (user: UserRow) => Promise<T>): Promise<T> =>
      db.write(caller, async (tx) => work(await reads.lock(tx, caller, id))),

    /** Sets a confirmed address. Joins the running transaction. @throws AppError `invalid` when somebody else has it */
    setAddress: (id: Id, email: string): Promise<void> =>
      db
        .write(platform, async (tx) => {
          await outbox(tx, userTopic, userEvent(await tx.user.update({ where: { id }, data: { email } })))
        })
        .catch(taken),

    /**
     * Changes an employee. `authorize` runs before anything is written, `settle` afterwards; both in the same transaction, with the row locked, and get
     * the person as they were before.
     * @throws AppError `not-found`, `stale`, `invalid`
     */
    change: (caller: Employee, id: Id, changes: StoredChanges, expected: number | undefined, { authorize, settle }: Hooks) =>
      db
        .write(caller, async (tx) => {
          const before = await reads.lock(tx, caller, id, expected)
          await authorize?.(before)
          if (changes.userRoleId !== undefined) await keepRole(tx, caller.customerId, changes.userRoleId)
          const where = { id, customerId: caller.customerId }
          const after = await tx.user.update({ where, data: changes })
          if (after.version !== before.version) await outbox(tx, userTopic, userEvent(after))
          await settle(before)
        })
        .catch(taken),
  }
}

export type UserRepository = ReturnType<typeof userRepository>
