import type { Employee, Id } from '@caseway/kit/caller'
import { forbidden, invalid, noSuchRecord } from '@caseway/kit/errors'
import type { Users } from '@caseway/people'
import { mayChange } from './comment.js'
import type { CommentDependencies, CommentRepository } from './comment.repository.js'
import type { CommentChanges, NewComment } from './comment.resource.js'

export const commentService = (comments: CommentRepository, users: Users, named: CommentDependencies['named']) => {
  const requireOwn = (caller: Employee) => (comment: { userId: Id }) => {
    if (!mayChange(caller, comment)) throw forbidden()
  }

  return {
    ...comments,

    /** For a group, on a case, or both. */
    async create(caller: Employee, input: NewComment): Promise<Id> {
      if (input.groupId == null && input.issueId == null) throw invalid({ group_id: 'is required' })
      const missing = await users.missing(caller, { user_id: input.userId })
      // This asks auth for a group of which it has not told yet, so that the transaction finds it. The insert looks for the case itself.
      if (missing.length > 0 || input.groupId != null) missing.push(...(await named.missing(caller, input)))
      if (missing.length > 0) throw noSuchRecord(...missing)
      return comments.create(caller, { userId: caller.userId, ...input })
    },

    change: (caller: Employee, id: Id, changes: CommentChanges, expected?: number) =>
      comments.change(caller, id, changes, requireOwn(caller), expected),

    remove: (caller: Employee, id: Id, expected?: number) => comments.remove(caller, id, requireOwn(caller), expected),
  }
}
