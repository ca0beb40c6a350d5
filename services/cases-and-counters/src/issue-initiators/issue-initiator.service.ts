import type { Employee, Id } from '@caseway/kit/caller'
import { nonexistent, refuseMissing } from '@caseway/kit/errors'
import type { Links } from '@caseway/people'
import type { IssueInitiatorRepository } from './issue-initiator.repository.js'
import type { IssueInitiatorChanges, NewIssueInitiator } from './issue-initiator.resource.js'

export const issueInitiatorService = (initiators: IssueInitiatorRepository, links: Links) => {
  const missing = (caller: Employee, sent: IssueInitiatorChanges) => links.missing(caller, { user_client_id: sent.userClientId })

  const checkClient = async (caller: Employee, sent: IssueInitiatorChanges) => refuseMissing(await missing(caller, sent))

  return {
    ...initiators,

    fieldErrors: async (caller: Employee, sent: IssueInitiatorChanges) => nonexistent(await missing(caller, sent)),

    async create(caller: Employee, input: NewIssueInitiator) {
      await checkClient(caller, input)
      return initiators.create(caller, input)
    },

    async change(caller: Employee, id: Id, changes: IssueInitiatorChanges, expected?: number) {
      await checkClient(caller, changes)
      await initiators.change(caller, id, changes, expected)
    },
  }
}

export type IssueInitiatorService = ReturnType<typeof issueInitiatorService>
