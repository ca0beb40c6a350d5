import type { Client, Id } from '@caseway/kit/caller'
import type { Links } from '@caseway/people'
import { issueState } from '../errors.js'
import type { ClientIssueChanges, NewClientIssue } from './client-issue.resource.js'
import { differing, untouched } from './issue.js'
import type { IssueRepository } from './issue.repository.js'

/** The cases of clients, as they may use them. */
export const clientIssueService = ({ own, ...issues }: IssueRepository, links: Links) => ({
  ...own,

  /** Of a new case alone: later it stays at its office. */
  fieldErrors: async (client: Client, { customerId }: Partial<NewClientIssue>, id?: Id) =>
    id === undefined ? links.officeErrors(client, customerId) : {},

  async create(client: Client, { customerId: named, subject }: NewClientIssue): Promise<Id> {
    return issues.createOwn(client, await links.officeOf(client, named), { subject, source: 'portal', ...untouched })
  },

  /** Changes the subject, while no employee of the office has opened the case. */
  change: (client: Client, id: Id, changes: ClientIssueChanges, expected?: number) =>
    issues.changeOwn(
      client,
      id,
      (issue) => {
        if (issue.status !== 'new') throw issueState()
        return differing(issue, changes)
      },
      expected,
    ),
})

export type ClientIssueService = ReturnType<typeof clientIssueService>
