import type { Employee, Id } from '@caseway/kit/caller'
import { office, resourceReads } from '@caseway/kit/database'
import { noSuchRecord, notFound } from '@caseway/kit/errors'
import type { Db, Tx } from '../database.js'
import { type Membership, userGroupResource } from './user-group.resource.js'

/** The fields that name nobody who works at the office, or none of its groups. The group stays until the transaction ends. */
async function missing(tx: Tx, customerId: Id, { userId, groupId }: Membership): Promise<string[]> {
  const user = await tx.user.findFirst({ where: { id: userId, customerId, active: true }, select: { id: true } })
  const groups = await tx.$queryRaw<unknown[]>`
    SELECT FROM groups WHERE id = ${groupId} AND customer_id = ${customerId} AND NOT deleted FOR SHARE`
  return [...(user ? [] : ['user_id']), ...(groups.length > 0 ? [] : ['group_id'])]
}

export const userGroupRepository = (db: Db) => ({
  get: resourceReads(db, userGroupResource).get,

  /** Those of some groups, the earliest first. */
  ofGroups: ({ customerId }: Employee, groupIds: readonly Id[]) =>
    db.read(office(customerId)).userGroup.findMany({ where: { customerId, groupId: { in: [...groupIds] } }, orderBy: { id: 'asc' } }),

  /** Twice is not an error: there is one membership, with one id. */
  create: ({ customerId }: Employee, membership: Membership): Promise<Id> =>
    db.write(office(customerId), async (tx) => {
      const fields = await missing(tx, customerId, membership)
      if (fields.length > 0) throw noSuchRecord(...fields)
      const data = { customerId, ...membership }
      const [created] = await tx.userGroup.createManyAndReturn({ data: [data], skipDuplicates: true })
      const { id } = created ?? (await tx.userGroup.findFirstOrThrow({ where: data }))
      return id
    }),

  /** @throws AppError `not-found` */
  removePair: ({ customerId }: Employee, { userId, groupId }: Membership): Promise<void> =>
    db.write(office(customerId), async (tx) => {
      const { count } = await tx.userGroup.deleteMany({ where: { customerId, userId, groupId } })
      if (count === 0) throw notFound()
    }),
})
