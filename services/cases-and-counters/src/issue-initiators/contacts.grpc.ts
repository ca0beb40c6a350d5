import type { Id } from '@caseway/kit/caller'
import { unary } from '@caseway/kit/grpc'
import type { ContactServiceServer } from '@caseway/protos/cases_and_counters/v1/contacts'
import type { IssueInitiatorService } from './issue-initiator.service.js'

interface Parties {
  isParty(query: { customerId: Id; issueId: Id; address: string; clientId: Id | null }): Promise<boolean>
}

export const contactsGrpc = (
  { changeOfClient }: Pick<IssueInitiatorService, 'changeOfClient'>,
  { isParty }: Parties,
): ContactServiceServer => ({
  changeClientCards: unary(async ({ customerId, clientId, companyName, ...changes }) => {
    const company = companyName === undefined ? undefined : companyName || null
    return { cards: await changeOfClient(customerId, clientId, { ...changes, companyName: company }) }
  }),
  isParty: unary(async ({ customerId, issueId, address, clientId }) => ({
    party: await isParty({ customerId, issueId, address, clientId: clientId ?? null }),
  })),
})
