import { unary } from '@caseway/kit/grpc'
import type { ContactServiceServer } from '@caseway/protos/cases_and_counters/v1/contacts'
import type { IssueInitiatorService } from './issue-initiator.service.js'

export const contactsGrpc = ({ changeOfClient }: Pick<IssueInitiatorService, 'changeOfClient'>): ContactServiceServer => ({
  changeClientCards: unary(async ({ customerId, clientId, companyName, ...changes }) => {
    const company = companyName === undefined ? undefined : companyName || null
    return { cards: await changeOfClient(customerId, clientId, { ...changes, companyName: company }) }
  }),
})
