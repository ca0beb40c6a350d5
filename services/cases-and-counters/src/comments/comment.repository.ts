import type { Employee, Id } from '@caseway/kit/caller'
import { office, type ParamOf, prepared, type References, resourceReads, sql } from '@caseway/kit/database'
import { noSuchRecord } from '@caseway/kit/errors'
import { outbox } from '@caseway/kit/events'
import type { LinkableObject } from '@caseway/kit/objects'
import { removedObjectTopic } from '@caseway/protos/topics'
import type { Db, Tx } from '../database.js'
import type { Follower } from '../issues/issue-change.js'
import type { PublishingNotifications } from '../notifications/publishing-notifications.js'
import { type CommentChanges, commentResource, type NewComment } from './comment.resource.js'

interface Comment {
  readonly userId: Id
}
export interface LinkableComment extends Comment, LinkableObject {}

/** Throws if the caller may not write the comment. */
type Require = (comment: Comment) => void

export interface CommentDependencies {
  readonly named: References<'group_id' | 'issue_id'>
  readonly publishing: PublishingNotifications
}

export const commentRepository = (db: Db, { named, publishing }: CommentDependencies) => {
  const reads = resourceReads(db, commentResource)
  const notifyOfInserted = publishing(insertNotifications)

  return {
    ...reads,

    /**
     * Creates a comment. One on a case notifies its owner and its delegate, in the same round trip to the database.
     * @throws AppError `invalid` when the office has no such case or group
     */
    async create(caller: Employee, comment: NewComment & Comment): Promise<Id> {
      const { customerId, userId } = caller
      const { issueId, groupId } = comment
      const notifications = issueId == null ? [] : [notifyOfInserted({ customerId, fromUserId: userId })]
      const write = () => db.batch(caller, insertComment({ ...comment, customerId }), ...notifications)
      const writeForGroup = async (tx: Tx) => {
        await named.keep(tx, caller, comment)
        return write()
      }
      const [row] = groupId == null ? await write() : await db.write(caller, writeForGroup)
      if (!row) throw noSuchRecord('issue_id')
      return row.id
    },

    change: (caller: Employee, id: Id, changes: CommentChanges, require: Require, expected?: number) =>
      db.write(caller, async (tx) => {
        require(await reads.lock(tx, caller, id, expected))
        await tx.comment.update({ where: { id, customerId: caller.customerId }, data: changes })
      }),

    remove: (caller: Employee, id: Id, require: Require, expected?: number) =>
      db.write(caller, async (tx) => {
        require(await reads.lock(tx, caller, id, expected))
        const { customerId } = caller
        await tx.comment.delete({ where: { id, customerId } })
        await outbox(tx, removedObjectTopic, { customerId, objectName: 'Comment', objectIds: [id] })
      }),

    /** Deletes up to `limit` comments of a group. @returns how many */
    removeOfGroup: (customerId: Id, groupId: Id, limit: number): Promise<number> =>
      db.write(office(customerId), async (tx) => {
        const removed = await tx.$queryRaw<{ id: Id }[]>`
          DELETE FROM comments WHERE id IN (
            SELECT id FROM comments WHERE customer_id = ${customerId} AND group_id = ${groupId} ORDER BY id LIMIT ${limit} FOR UPDATE
          ) RETURNING id`
        const objectIds = removed.map(({ id }) => id)
        if (objectIds.length > 0) await outbox(tx, removedObjectTopic, { customerId, objectName: 'Comment', objectIds })
        return objectIds.length
      }),

    /** The comments among `ids` to which files can be attached. */
    async linkable(customerId: Id, ids: readonly Id[]): Promise<LinkableComment[]> {
      const where = { customerId, id: { in: [...ids] } }
      const select = { id: true, userId: true, issueId: true, version: true }
      const found = await db.read(office(customerId)).comment.findMany({ where, select })
      return found.map((comment) => ({ ...comment, userClientId: null }))
    },
  }
}

export type CommentRepository = ReturnType<typeof commentRepository>

/** The setting by which the statement that inserts a comment passes its id to the next one of the batch. */
const insertedId = 'app.inserted_comment'

/** Inserts nothing if the office has no such case. The case is locked, so that it is not deleted meanwhile. */
const insertComment = prepared((param: ParamOf<NewComment & Comment & { customerId: Id }>) => {
  const customerId = param(({ customerId }) => customerId)
  const issueId = sql`${param(({ issueId }) => issueId ?? null)}::bigint`
  return sql<{ id: Id }>`
    INSERT INTO comments (customer_id, user_id, group_id, issue_id, body)
    SELECT ${customerId}::bigint, ${param(({ userId }) => userId)}::bigint, ${param(({ groupId }) => groupId ?? null)}::bigint, ${issueId},
      ${param(({ body }) => body)}
    WHERE ${issueId} IS NULL OR EXISTS (SELECT FROM issues WHERE customer_id = ${customerId} AND id = ${issueId} FOR KEY SHARE)
    RETURNING id, set_config(${sql.lit(insertedId)}, id::text, true)`
})

interface Written {
  readonly customerId: Id
  readonly fromUserId: Id
}

/** Notifies the owner and the delegate of the case, except the author of the comment. */
const insertNotifications = (param: ParamOf<Written>) => {
  const fromUserId = sql`${param(({ fromUserId }) => fromUserId)}::bigint`
  return sql`
    INSERT INTO notifications (customer_id, user_id, from_user_id, issue_id, type, object_id, object_version)
    SELECT DISTINCT issues.customer_id, person.id, ${fromUserId}, issues.id, 'comments_add', comments.id, comments.version
    FROM comments JOIN issues ON issues.customer_id = comments.customer_id AND issues.id = comments.issue_id,
      unnest(ARRAY[issues.user_id, issues.delegated_user_id]) AS person (id)
    WHERE comments.id = NULLIF(current_setting(${sql.lit(insertedId)}, true), '')::bigint
      AND comments.customer_id = ${param(({ customerId }) => customerId)} AND person.id <> ${fromUserId}
    RETURNING id, user_id`
}

const deleteOfCase = prepared(
  (param: ParamOf<{ customerId: Id; id: Id }>) => sql`
    DELETE FROM comments WHERE customer_id = ${param(({ customerId }) => customerId)} AND issue_id = ${param(({ id }) => id)}`,
)

/** Deletes the comments of a deleted case. */
export const followCommentedCase: Follower = ({ before, after }) => (before && !after ? [deleteOfCase(before)] : [])
