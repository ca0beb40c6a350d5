import type { Employee, Id } from '@caseway/kit/caller'
import { nonexistent, refuseMissing } from '@caseway/kit/errors'
import type { Links, Users } from '@caseway/people'
import { differing, type IssueState, moved, statusFor, waitingOf } from './issue.js'
import type { IssueReferences, IssueRepository } from './issue.repository.js'
import type { IssueChanges, NewIssue } from './issue.resource.js'

export const issueService = (issues: IssueRepository, users: Users, links: Links, named: IssueReferences) => {
  const missing = async (caller: Employee, sent: IssueChanges, id?: Id) => {
    const stored = id === undefined ? undefined : () => issues.get(caller, id)
    return [
      ...(await users.missing(caller, { user_id: sent.userId, delegated_user_id: sent.delegatedUserId }, stored)),
      ...(await links.missing(caller, { user_client_id: sent.userClientId }, stored)),
      ...(await named.missing(caller, sent)),
    ]
  }

  const checkReferences = async (...sent: Parameters<typeof missing>) => refuseMissing(await missing(...sent))

  return {
    ...issues,

    fieldErrors: async (...sent: Parameters<typeof missing>) => nonexistent(await missing(...sent)),

    async create(caller: Employee, input: NewIssue): Promise<Id> {
      await checkReferences(caller, input)
      const { userId = null, ...fields } = input
      const state = { status: statusFor(caller, userId), userId, delegatedUserId: null, delegatedBy: null, closedAt: null }
      return issues.create(caller, { ...fields, ...state })
    },

    /**
     * Applies a change; the fields that are sent decide whether it assigns, accepts, delegates, takes back, closes, reopens or rejects.
     * @throws AppError as `moved`; `invalid`, `not-found`, `stale`
     */
    async change(caller: Employee, id: Id, changes: IssueChanges, expected?: number): Promise<void> {
      await checkReferences(caller, changes, id)
      const decide = (issue: IssueState) => {
        const state = moved(caller, issue, changes, new Date())
        return differing(issue, { ...changes, ...state, ...waitingOf(state) })
      }
      await issues.change(caller, id, decide, expected)
    },
  }
}

export type IssueService = ReturnType<typeof issueService>
