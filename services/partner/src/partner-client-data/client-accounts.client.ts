import { type Peers, peerClients } from '@caseway/kit/grpc'
import { ClientDataServiceClient, type ClientDataChanges as Message } from '@caseway/protos/auth/v1/client_data'
import { ContactServiceClient } from '@caseway/protos/cases_and_counters/v1/contacts'
import type { ClientAccounts, ClientCards } from './client-accounts.js'
import type { ClientDataChanges } from './client-data.js'

/** Removes missing fields, which a decoded message has as undefined. */
const changesOf = (message: Message | undefined): ClientDataChanges =>
  Object.fromEntries(Object.entries(message ?? {}).filter(([, value]) => value !== undefined))

/** ClientAccounts over gRPC to auth. */
export function clientAccounts(peers: Peers): ClientAccounts {
  const auth = peerClients(peers, 'auth')(ClientDataServiceClient)
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

/** ClientCards over gRPC to cases-and-counters. */
export function clientCards(peers: Peers): ClientCards {
  const cases = peerClients(peers, 'cases-and-counters')(ContactServiceClient)
  return {
    async change(customerId, clientId, { email, firstname: firstName, lastname: lastName, companyName }) {
      return (await cases.changeClientCards({ customerId, clientId, email, firstName, lastName, companyName })).cards
    },
  }
}
