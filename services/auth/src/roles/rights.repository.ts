import type { Id } from '@caseway/kit/caller'
import { office, type ParamOf, prepared, sql } from '@caseway/kit/database'
import { notFound, requireVersion } from '@caseway/kit/errors'
import { outbox } from '@caseway/kit/events'
import { rightTopic, userTopic } from '@caseway/protos/topics'
import type { Db, Tx } from '../database.js'
import { userEvent } from '../users/user-event.js'
import { managing, type Permission } from './right.js'

/** The data from which the effective rights of a person, or of a role, are computed. */
export interface Grounds {
  readonly baseRole: number
  readonly ofRole: Permission[]
  readonly ofUser: Permission[]
}

/** Runs after the writes of a transaction, and may still roll it back by throwing. */
type Settle = () => Promise<void>

/** Names the role or the person whose permissions are replaced. */
interface Whose {
  readonly customerId: Id
  /** The id of the role or the person. */
  readonly id: Id
  /** The expected version; undefined if any will do. */
  readonly expected: number | undefined
}

interface Person {
  readonly customerId: Id
  readonly userId: Id
}

/** SQL: the grounds of active employees. */
const grounds = sql`
    role.base_role AS "baseRole",
      (SELECT coalesce(json_agg(json_build_object('key', key, 'allowed', allowed)), '[]') FROM user_role_permissions
        WHERE customer_id = role.customer_id AND user_role_id = role.id) AS "ofRole",
      (SELECT coalesce(json_agg(json_build_object('key', key, 'allowed', allowed)), '[]') FROM user_permissions
        WHERE customer_id = person.customer_id AND user_id = person.id) AS "ofUser"
    FROM users AS person JOIN user_roles AS role ON role.id = person.user_role_id AND role.customer_id = person.customer_id
    WHERE person.active`

/** One statement, because other services ask for it with every request. */
const groundsOf = prepared(
  (param: ParamOf<Person>) => sql<Grounds>`
    SELECT ${grounds} AND person.customer_id = ${param(({ customerId }) => customerId)} AND person.id = ${param(({ userId }) => userId)}`,
)

const groundsOfAll = prepared(
  (param: ParamOf<Pick<Person, 'customerId'>>) => sql<Grounds & Pick<Person, 'userId'>>`
    SELECT person.id AS "userId", ${grounds} AND person.customer_id = ${param(({ customerId }) => customerId)} ORDER BY person.id`,
)

const wanted = { key: true, allowed: true } as const

export const rightsRepository = (db: Db) => {
  const ofRole = async (customerId: Id, userRoleId: Id) => {
    const rows = await db.read(office(customerId)).userRolePermission.findMany({ where: { customerId, userRoleId }, select: wanted })
    return rows as Permission[]
  }
  const ofUser = async (customerId: Id, userId: Id) => {
    const rows = await db.read(office(customerId)).userPermission.findMany({ where: { customerId, userId }, select: wanted })
    return rows as Permission[]
  }
  /** The base role of a role, locked until the transaction ends; null if the office has no such role. */
  const lockedBaseRole = async (tx: Tx, customerId: Id, userRoleId: Id): Promise<number | null> => {
    const [role] = await tx.$queryRaw<{ base_role: number }[]>`
      SELECT base_role FROM user_roles WHERE id = ${userRoleId} AND customer_id = ${customerId} FOR SHARE`
    return role?.base_role ?? null
  }

  return {
    ofRole,
    ofUser,

    /** The version of a person, active or not. @throws AppError `not-found` */
    async versionOf(customerId: Id, userId: Id): Promise<number> {
      const person = await db.read(office(customerId)).user.findFirst({ where: { id: userId, customerId }, select: { version: true } })
      if (!person) throw notFound()
      return person.version
    },

    /** Null if the office has no such person, or they are not active. */
    grounds: async (customerId: Id, userId: Id): Promise<Grounds | null> =>
      (await db.pipelined.query(office(customerId), groundsOf({ customerId, userId })))[0] ?? null,

    /** The grounds of all active employees of an office. */
    groundsOfAll: (customerId: Id) => db.query(office(customerId), groundsOfAll({ customerId })),

    /**
     * The grounds of a role, together with the permissions of the person if `userId` is given; null if the office has no such role. The role is locked
     * until the transaction ends; the person's permissions are stable only if the caller has locked their row.
     */
    lockedGrounds: (customerId: Id, userRoleId: Id, userId?: Id): Promise<Grounds | null> =>
      db.write(office(customerId), async (tx) => {
        const baseRole = await lockedBaseRole(tx, customerId, userRoleId)
        if (baseRole === null) return null
        const own = userId === undefined ? [] : await ofUser(customerId, userId)
        return { baseRole, ofRole: await ofRole(customerId, userRoleId), ofUser: own }
      }),

    /**
     * Replaces the permissions of a role, which gets a new version. `authorize` runs before anything is written, with the role locked; the function that
     * it returns runs afterwards.
     * @throws AppError `not-found`, `stale`
     */
    replaceOfRole: (
      { customerId, id, expected }: Whose,
      permissions: readonly Permission[],
      authorize: (baseRole: number) => Promise<Settle>,
    ) =>
      db.write(office(customerId), async (tx) => {
        const [role] = await tx.$queryRaw<{ base_role: number; version: number }[]>`
          SELECT base_role, version FROM user_roles WHERE id = ${id} AND customer_id = ${customerId} FOR UPDATE`
        if (!role) throw notFound()
        requireVersion(role, expected)
        const settle = await authorize(role.base_role)
        await tx.userRolePermission.deleteMany({ where: { customerId, userRoleId: id } })
        await tx.userRolePermission.createMany({ data: permissions.map((each) => ({ customerId, userRoleId: id, ...each })) })
        await tx.userRole.update({ where: { id, customerId }, data: { customerId } })
        const people = await tx.user.findMany({ where: { customerId, userRoleId: id, active: true }, select: { id: true } })
        if (people.length > 0) await outbox(tx, rightTopic, { customerId, userIds: people.map((person) => person.id) })
        await settle()
      }),

    /** As `replaceOfRole`, for a person. `authorize` gets the id of their role. */
    replaceOfUser: (
      { customerId, id, expected }: Whose,
      permissions: readonly Permission[],
      authorize: (userRoleId: Id) => Promise<Settle>,
    ) =>
      db.write(office(customerId), async (tx) => {
        const [user] = await tx.$queryRaw<{ user_role_id: Id; version: number }[]>`
          SELECT user_role_id, version FROM users WHERE id = ${id} AND customer_id = ${customerId} FOR UPDATE`
        if (!user) throw notFound()
        requireVersion(user, expected)
        const settle = await authorize(user.user_role_id)
        await tx.userPermission.deleteMany({ where: { customerId, userId: id } })
        await tx.userPermission.createMany({ data: permissions.map((each) => ({ customerId, userId: id, ...each })) })
        await outbox(tx, userTopic, userEvent(await tx.user.update({ where: { id, customerId }, data: { customerId } })))
        await outbox(tx, rightTopic, { customerId, userIds: [id] })
        await settle()
      }),

    /**
     * The number of active administrators who have both managing rights, as the running transaction sees it. Locks the office, so that concurrent changes
     * of its administrators are serialized.
     */
    administrators: (customerId: Id): Promise<number> =>
      db.write(office(customerId), async (tx) => {
        await tx.$queryRaw`SELECT FROM customers WHERE id = ${customerId} FOR UPDATE`
        const [row] = await tx.$queryRaw<{ count: bigint }[]>`
          SELECT count(*) FROM users JOIN user_roles ON user_roles.id = users.user_role_id
          WHERE users.customer_id = ${customerId} AND users.active AND user_roles.base_role = 1 AND NOT EXISTS (
            SELECT FROM unnest(${managing}::text[]) AS needed (key)
            LEFT JOIN user_role_permissions AS of_role
              ON of_role.customer_id = users.customer_id AND of_role.user_role_id = users.user_role_id AND of_role.key = needed.key
            LEFT JOIN user_permissions AS own
              ON own.customer_id = users.customer_id AND own.user_id = users.id AND own.key = needed.key
            WHERE NOT coalesce(own.allowed, of_role.allowed, true))`
        return Number(row?.count)
      }),
  }
}

export type RightsRepository = ReturnType<typeof rightsRepository>
