import { channelCredentials, createGrpcClient, type GrpcEndpoint } from '@caseway/kit/grpc'
import { ClientDataServiceClient, type ClientDataChanges as Message } from '@caseway/protos/auth/v1/client_data'
import { ContactServiceClient } from '@caseway/protos/cases_and_counters/v1/contacts'
import type { ClientAccounts, ClientCards } from './client-accounts.js'
import type { ClientDataChanges } from './client-data.js'

interface Wiring {
  peer(service: string): GrpcEndpoint
  onClose(name: string, close: () => unknown): void
}

const optionsOf = (serverName: string, { address, security, log }: GrpcEndpoint) => ({
  ...{ address, serverName, credentials: channelCredentials(security, log) },
})

/** A field that is missing in a message is there, and undefined. */
const changesOf = (message: Message | undefined): ClientDataChanges =>
  Object.fromEntries(Object.entries(message ?? {}).filter(([, value]) => value !== undefined))

/** auth over gRPC. */
export function clientAccounts({ peer, onClose }: Wiring): ClientAccounts {
  const auth = createGrpcClient(ClientDataServiceClient, optionsOf('auth', peer('auth')))
  onClose('client data of auth', auth.close)
  return {
    async differs(externalUserId, changes) {
      const answer = await auth.getClientData({ externalUserId, changes })
      return Object.keys(changesOf(answer.changes)).length > 0
    },
    async reserve(changeId, externalUserId, changes) {
      const { data, changes: different } = await auth.reserveClientData({ changeId, externalUserId, changes })
      return { clientId: data?.clientId ?? 0n, email: data?.email ?? '', changes: changesOf(different) }
    },
    apply: async (changeId, changes, applicationId) => (await auth.applyClientData({ changeId, changes, applicationId })).customerIds,
    async release(changeId) {
      await auth.releaseClientData({ changeId })
    },
  }
}

/** cases-and-counters over gRPC. */
export function clientCards({ peer, onClose }: Wiring): ClientCards {
  const cases = createGrpcClient(ContactServiceClient, optionsOf('cases-and-counters', peer('cases-and-counters')))
  onClose('contacts of cases-and-counters', cases.close)
  return {
    async change(customerId, clientId, { email, firstname: firstName, lastname: lastName, companyName }) {
      return (await cases.changeClientCards({ customerId, clientId, email, firstName, lastName, companyName })).cards
    },
  }
}
