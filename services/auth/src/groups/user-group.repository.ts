import type { Employee, Id } from '@caseway/kit/caller'
import { office, resourceReads } from '@caseway/kit/database'
import { nonexistent, notFound, refuseMissing } from '@caseway/kit/errors'
import type { Db, Tx } from '../database.js'
import { type Membership, userGroupResource } from './user-group.resource.js'

const select = { id: true } as const

/** The fields whose id is of no active employee, or of no group, of the office. */
async function missing(
  { user, group }: Pick<ReturnType<Db['read']>, 'user' | 'group'>,
  customerId: Id,
  { userId, groupId }: Partial<Membership>,
) {
  const isKnown = userId === undefined || (await user.findFirst({ where: { id: userId, customerId, active: true }, select }))
  const isThere = groupId === undefined || (await group.findFirst({ where: { id: groupId, customerId, deleted: false }, select }))
  return [...(isKnown ? [] : ['user_id']), ...(isThere ? [] : ['group_id'])]
}

/** Locks the group, so that nobody deletes it before the transaction ends. */
const keepGroup = (tx: Tx, customerId: Id, { groupId }: Membership) =>
  tx.$queryRaw`SELECT FROM groups WHERE id = ${groupId} AND customer_id = ${customerId} FOR SHARE`

/** ON CONFLICT DO UPDATE locks an existing membership even if its WHERE is false, so that it still exists when it is read. */
const insertOrLock = (tx: Tx, customerId: Id, { userId, groupId }: Membership) =>
  tx.$queryRaw<{ id: Id }[]>`
    INSERT INTO user_groups (customer_id, user_id, group_id) VALUES (${customerId}, ${userId}, ${groupId})
    ON CONFLICT (customer_id, group_id, user_id) DO UPDATE SET user_id = excluded.user_id WHERE false
    RETURNING id`

export const userGroupRepository = (db: Db) => ({
  get: resourceReads(db, userGroupResource).get,

  /** The memberships of some groups, the earliest first. */
  ofGroups: ({ customerId }: Employee, groupIds: readonly Id[]) =>
    db.read(office(customerId)).userGroup.findMany({ where: { customerId, groupId: { in: [...groupIds] } }, orderBy: { id: 'asc' } }),

  fieldErrors: async ({ customerId }: Employee, sent: Partial<Membership>) =>
    nonexistent(await missing(db.read(office(customerId)), customerId, sent)),

  /** Adds a membership, idempotently. @returns its id, or the id of the existing one */
  create: ({ customerId }: Employee, membership: Membership): Promise<Id> =>
    db.write(office(customerId), async (tx) => {
      await keepGroup(tx, customerId, membership)
      refuseMissing(await missing(tx, customerId, membership))
      const [created] = await insertOrLock(tx, customerId, membership)
      return (created ?? (await tx.userGroup.findFirstOrThrow({ where: { customerId, ...membership }, select }))).id
    }),

  /** Removes the membership of this person in this group. @throws AppError `not-found` */
  removePair: ({ customerId }: Employee, { userId, groupId }: Membership): Promise<void> =>
    db.write(office(customerId), async (tx) => {
      const { count } = await tx.userGroup.deleteMany({ where: { customerId, userId, groupId } })
      if (count === 0) throw notFound()
    }),
})
