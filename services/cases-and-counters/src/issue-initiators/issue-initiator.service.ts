import type { Employee, Id } from '@caseway/kit/caller'
import { nonexistent, refuseMissing } from '@caseway/kit/errors'
import type { Links } from '@caseway/people'
import type { IssueInitiatorRepository } from './issue-initiator.repository.js'
import type { IssueInitiatorChanges, NewIssueInitiator } from './issue-initiator.resource.js'

export const issueInitiatorService = (initiators: IssueInitiatorRepository, links: Links) => {
  const missing = (caller: Employee, sent: IssueInitiatorChanges, id?: Id) =>
    links.missing(caller, { user_client_id: sent.userClientId }, id === undefined ? undefined : () => initiators.get(caller, id))

  const checkClient = async (...sent: Parameters<typeof missing>) => refuseMissing(await missing(...sent))

  return {
    ...initiators,

    fieldErrors: async (...sent: Parameters<typeof missing>) => nonexistent(await missing(...sent)),

    async create(caller: Employee, input: NewIssueInitiator) {
      await checkClient(caller, input)
      return initiators.create(caller, input)
    },

    async change(caller: Employee, id: Id, changes: IssueInitiatorChanges, expected?: number) {
      await checkClient(caller, changes, id)
      await initiators.change(caller, id, changes, expected)
    },
  }
}

export type IssueInitiatorService = ReturnType<typeof issueInitiatorService>
