import { type Audience, type Id, roles, type Subject } from '@caseway/kit/caller'
import { type ParamOf, platform, prepared, statements } from '@caseway/kit/database'
import { accountByAddress, type Db, type Tx } from '../database.js'
import type { Client, User } from '../generated/client.js'
import { roleOfNumber } from '../roles/right.js'
import type { Account, LockedLogin, Person, StoredPassword } from './account.js'

/**
 * Locks the person, their role and their office, in the same order as every change of people and roles does. False when one of them has changed since it was
 * read.
 */
const keepEmployee = async (tx: Tx, { userId, customerId, email, passwordHash, userRole, role }: Account): Promise<boolean> => {
  const isOne = (rows: unknown[]) => rows.length === 1
  return (
    isOne(
      await tx.$queryRaw<unknown[]>`
        SELECT id FROM users
        WHERE id = ${userId} AND email = ${email} AND password_hash = ${passwordHash} AND active AND user_role_id = ${userRole?.id}
        FOR NO KEY UPDATE`,
    ) &&
    isOne(
      await tx.$queryRaw<unknown[]>`
        SELECT id FROM user_roles WHERE id = ${userRole?.id} AND base_role = ${roles.indexOf(role)} FOR SHARE`,
    ) &&
    isOne(await tx.$queryRaw<unknown[]>`SELECT id FROM customers WHERE id = ${customerId} AND deletes_at IS NULL FOR SHARE`)
  )
}

interface Tables {
  client_links: { customer_id: Id; user_client_id: Id }
  customers: { id: Id; deletes_at: Date | null }
}

const officesOfClient = prepared((param: ParamOf<Id>) =>
  statements<Tables>()
    .selectFrom('client_links as link')
    .innerJoin('customers as office', 'office.id', 'link.customer_id')
    .select('office.deletes_at')
    .where(
      'link.user_client_id',
      '=',
      param((id) => id),
    ),
)

/** Whether a client may sign in: not if all offices with which they were ever linked are closed, because their account is deleted with the last of these. */
const isOpenTo = (offices: readonly { readonly deletes_at: Date | null }[]) =>
  offices.length === 0 || offices.some(({ deletes_at }) => deletes_at === null)

/** Locks the client and their offices. False when the client has changed since they were read, or all of their offices are closed. */
const keepClient = async (tx: Tx, { userId, email, passwordHash }: Account): Promise<boolean> => {
  const clients = await tx.$queryRaw<unknown[]>`
    SELECT id FROM clients WHERE id = ${userId} AND email = ${email} AND password_hash = ${passwordHash} FOR NO KEY UPDATE`
  const offices = await tx.$queryRaw<{ deletes_at: Date | null }[]>`
    SELECT deletes_at FROM customers WHERE id IN (SELECT customer_id FROM client_links WHERE user_client_id = ${userId})
    ORDER BY id FOR SHARE`
  return clients.length === 1 && isOpenTo(offices)
}

/** Reads in the scope of the platform, because the caller is not authenticated yet. */
export const accountRepository = (db: Db) => {
  const hasSecondFactor = async ({ kind, id: userId }: Person) =>
    (await db.read(platform).secondFactor.findFirst({ where: { kind, userId, confirmed: { not: null } }, select: { id: true } })) !== null

  const clientAccount = async ({ id, email, passwordHash, passwordExpired }: Client): Promise<Account> => {
    const [offices, enabled] = await Promise.all([db.query(platform, officesOfClient(id)), hasSecondFactor({ kind: 'client', id })])
    return {
      ...{ audience: 'client', userId: id, customerId: null, role: 'client', email, passwordHash, passwordExpired },
      active: isOpenTo(offices),
      secondFactor: { enabled, required: false },
      userRole: null,
    }
  }

  const employeeAccount = async ({ id, customerId, userRoleId, ...user }: User): Promise<Account> => {
    const { active, email, passwordHash, passwordExpired } = user
    const { userRole: roles, customer: offices } = db.read(platform)
    const [{ baseRole, ...userRole }, { secondFactor: required, deletesAt }, enabled] = await Promise.all([
      roles.findFirstOrThrow({ where: { id: userRoleId, customerId } }),
      offices.findFirstOrThrow({ where: { id: customerId }, select: { secondFactor: true, deletesAt: true } }),
      hasSecondFactor({ kind: 'employee', id }),
    ])
    const role = roleOfNumber(baseRole)
    return {
      ...{ audience: 'expert', userId: id, customerId, role, active: active && deletesAt === null, email, passwordHash, passwordExpired },
      secondFactor: { enabled, required },
      userRole,
    }
  }

  const find = async (audience: Audience, id: Id): Promise<Account | null> => {
    const { user, client } = db.read(platform)
    if (audience === 'client') {
      const found = await client.findFirst({ where: { id } })
      return found && clientAccount(found)
    }
    const found = await user.findFirst({ where: { id } })
    return found && employeeAccount(found)
  }

  return {
    async byLogin(audience: Audience, email: string): Promise<Account | null> {
      const [found] = await db.query(platform, accountByAddress[audience === 'client' ? 'client' : 'user'](email))
      return found ? find(audience, found.id) : null
    },
    /** Null if there is no such account; applications have none. */
    byId: async ({ kind, id }: Subject) => (kind === 'application' ? null : find(kind === 'client' ? 'client' : 'expert', id)),

    /**
     * Records the time of a sign-in, without a new version and without an event. The account stays locked until the transaction ends, so that whatever
     * ends sessions also finds the one that begins here.
     * @returns false when the account has changed since it was read
     */
    noteLogin: (account: Account, lastLogin: Date): Promise<boolean> =>
      db.write(platform, async (tx) => {
        const { audience, userId: id } = account
        if (audience === 'client') {
          if (!(await keepClient(tx, account))) return false
          await tx.$executeRaw`UPDATE clients SET last_login = ${lastLogin} WHERE id = ${id}`
        } else {
          if (!(await keepEmployee(tx, account))) return false
          await tx.$executeRaw`UPDATE users SET last_login = ${lastLogin} WHERE id = ${id}`
        }
        return true
      }),

    /** Joins the running transaction, and locks the account until it ends. Undefined if there is none. */
    async lock({ kind, id }: Person): Promise<LockedLogin | undefined> {
      const [found] = await db.write(platform, (tx) =>
        kind === 'client'
          ? tx.$queryRaw<LockedLogin[]>`
              SELECT email::text, password_hash AS "passwordHash", true AS active, NULL::bigint AS "customerId"
              FROM clients WHERE id = ${id} FOR UPDATE`
          : tx.$queryRaw<LockedLogin[]>`
              SELECT email::text, password_hash AS "passwordHash", active, customer_id AS "customerId"
              FROM users WHERE id = ${id} FOR UPDATE`,
      )
      return found
    },

    /** `then` runs in the same transaction. */
    setPassword: ({ kind, id }: Person, data: StoredPassword, then: () => Promise<unknown>): Promise<void> =>
      db.write(platform, async (tx) => {
        if (kind === 'client') await tx.client.updateMany({ where: { id }, data })
        else await tx.user.updateMany({ where: { id }, data })
        await then()
      }),
  }
}

export type AccountRepository = ReturnType<typeof accountRepository>
