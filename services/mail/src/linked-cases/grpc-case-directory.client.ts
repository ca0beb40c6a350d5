import { undefinedIfNotFound } from '@caseway/kit/errors'
import { type Peers, peerClients } from '@caseway/kit/grpc'
import { ContactServiceClient } from '@caseway/protos/cases_and_counters/v1/contacts'
import { ObjectServiceClient } from '@caseway/protos/objects/v1/objects'
import type { CaseDirectory } from './case-directory.js'

const objectName = 'Issue'

/** cases-and-counters over gRPC. */
export function grpcCaseDirectory(peers: Peers): CaseDirectory {
  const clientOf = peerClients(peers, 'cases-and-counters')
  const objects = clientOf(ObjectServiceClient)
  const contacts = clientOf(ContactServiceClient)

  return {
    async isSeen({ customerId, role, userId: id }, objectId) {
      const person = { kind: { $case: 'employee' as const, value: { id, role } } }
      const { object } = (await undefinedIfNotFound(objects.mayLink({ customerId, person, objectName, objectId }))) ?? {}
      return object !== undefined
    },

    exists: async (customerId, id) => (await objects.getObjects({ customerId, objectName, objectIds: [id] })).objects.length > 0,

    isParty: async (customerId, issueId, { address, clientId }) =>
      (await contacts.isParty({ customerId, issueId, address, clientId: clientId ?? undefined })).party,
  }
}
