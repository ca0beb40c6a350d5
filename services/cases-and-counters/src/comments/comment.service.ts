import type { Employee, Id } from '@caseway/kit/caller'
import { forbidden, invalid, nonexistent, refuseMissing } from '@caseway/kit/errors'
import type { Users } from '@caseway/people'
import { mayChange } from './comment.js'
import type { CommentDependencies, CommentRepository } from './comment.repository.js'
import type { CommentChanges, NewComment } from './comment.resource.js'

/** The error of a comment that is neither for a group nor on a case; undefined for any other comment. */
const ofNothing = ({ groupId, issueId }: Partial<NewComment>) => ((groupId ?? issueId) == null ? { group_id: 'is required' } : undefined)

export const commentService = (comments: CommentRepository, users: Users, named: CommentDependencies['named']) => {
  const requireOwn = (caller: Employee) => (comment: { userId: Id }) => {
    if (!mayChange(caller, comment)) throw forbidden()
  }

  // A group that the copy does not have yet is asked of auth here, so that the transaction finds it.
  const missing = async (caller: Employee, sent: Partial<NewComment>) => [
    ...(await users.missing(caller, { user_id: sent.userId })),
    ...(await named.missing(caller, sent)),
  ]

  return {
    ...comments,

    fieldErrors: async (caller: Employee, sent: Partial<NewComment>, id: Id | undefined, wrong: object) => ({
      // An invalid issue_id was refused already: a group is not required as well.
      ...(id === undefined && !('issue_id' in wrong) && ofNothing(sent)),
      ...nonexistent(await missing(caller, sent)),
    }),

    /** Creates a comment for a group, on a case, or both. @throws AppError `invalid`, `forbidden` */
    async create(caller: Employee, input: NewComment): Promise<Id> {
      const wrong = ofNothing(input)
      if (wrong) throw invalid(wrong)
      // Without a group the insert itself checks the case.
      refuseMissing(await missing(caller, input.groupId == null ? { userId: input.userId } : input))
      const comment = { userId: caller.userId, ...input }
      requireOwn(caller)(comment)
      return comments.create(caller, comment)
    },

    change: (caller: Employee, id: Id, changes: CommentChanges, expected?: number) =>
      comments.change(caller, id, changes, requireOwn(caller), expected),

    remove: (caller: Employee, id: Id, expected?: number) => comments.remove(caller, id, requireOwn(caller), expected),
  }
}
