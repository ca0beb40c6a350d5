import type { Employee, Id } from '@caseway/kit/caller'
import {
  type BatchStatement,
  office,
  type ParamOf,
  prepared,
  type Referable,
  type References,
  resourceReads,
  sql,
} from '@caseway/kit/database'
import { outbox } from '@caseway/kit/events'
import type { LinkableObject } from '@caseway/kit/objects'
import { removedObjectTopic } from '@caseway/protos/topics'
import type { Db } from '../database.js'
import type { Follower } from '../issues/issue-change.js'
import { type Fact, noticesTo, notTo } from '../notifications/notification.js'
import { type CommentChanges, commentResource, type NewComment } from './comment.resource.js'

interface Comment {
  readonly userId: Id
}
export interface LinkableComment extends Comment, LinkableObject {}

/** Throws when the caller may not write the comment. */
type Require = (comment: Comment) => void

/** Who is notified of a comment on a case. */
export interface CommentedCase {
  readonly id: Id
  readonly userId: Id | null
  readonly delegatedUserId: Id | null
}
export type CommentReferences = References<'group_id' | 'issue_id', { group_id: Referable; issue_id: Referable<CommentedCase> }>

export interface CommentDependencies {
  readonly named: CommentReferences
  readonly notify: (fact: Fact) => BatchStatement
}

export const commentRepository = (db: Db, { named, notify }: CommentDependencies) => {
  const reads = resourceReads(db, commentResource)

  const notificationsOf = ({ customerId, userId: fromUserId }: Employee, { id, userId, delegatedUserId }: CommentedCase) => {
    const notices = notTo(fromUserId, noticesTo('comments_add', userId, delegatedUserId))
    return notices.length > 0 ? [notify({ customerId, fromUserId, issueId: id, objectId: 'inserted comment', version: 1, notices })] : []
  }

  return {
    ...reads,

    /** One on a case notifies its owner and its delegate. */
    create: (caller: Employee, comment: NewComment & Comment): Promise<Id> =>
      db.write(caller, async (tx) => {
        const { issueId: issue } = await named.keep(tx, caller, comment)
        const inserted = insertComment({ ...comment, customerId: caller.customerId })
        const [row] = await db.batch(caller, inserted, ...(issue ? notificationsOf(caller, issue) : []))
        if (!row) throw new Error('The comment was not written.')
        return row.id
      }),

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

    /**
     * Removes up to `limit` comments of a group.
     * @returns how many
     */
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

    /** Those of `ids` to which files can be attached. */
    async linkable(customerId: Id, ids: readonly Id[]): Promise<LinkableComment[]> {
      const where = { customerId, id: { in: [...ids] } }
      const select = { id: true, userId: true, issueId: true, version: true }
      const found = await db.read(office(customerId)).comment.findMany({ where, select })
      return found.map((comment) => ({ ...comment, userClientId: null }))
    },
  }
}

export type CommentRepository = ReturnType<typeof commentRepository>

const insertComment = prepared(
  (param: ParamOf<NewComment & Comment & { customerId: Id }>) => sql<{ id: Id }>`
    INSERT INTO comments (customer_id, user_id, group_id, issue_id, body)
    VALUES (${param(({ customerId }) => customerId)}, ${param(({ userId }) => userId)}, ${param(({ groupId }) => groupId ?? null)},
      ${param(({ issueId }) => issueId ?? null)}, ${param(({ body }) => body)})
    RETURNING id`,
)

const deleteOfCase = prepared(
  (param: ParamOf<{ customerId: Id; id: Id }>) => sql`
    DELETE FROM comments WHERE customer_id = ${param(({ customerId }) => customerId)} AND issue_id = ${param(({ id }) => id)}`,
)

/** The comments on a case go with it. */
export const followCommentedCase: Follower = ({ before, after }) => (before && !after ? [deleteOfCase(before)] : [])
