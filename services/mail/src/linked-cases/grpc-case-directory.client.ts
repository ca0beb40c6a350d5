import { undefinedIfNotFound } from '@caseway/kit/errors'
import { channelCredentials, createGrpcClient, type GrpcEndpoint } from '@caseway/kit/grpc'
import { ContactServiceClient } from '@caseway/protos/cases_and_counters/v1/contacts'
import { ObjectServiceClient } from '@caseway/protos/objects/v1/objects'
import type { CaseDirectory } from './case-directory.js'

const objectName = 'Issue'

interface Wiring {
  peer(service: string): GrpcEndpoint
  onClose(name: string, close: () => unknown): void
}

/** cases-and-counters over gRPC. */
export function grpcCaseDirectory({ peer, onClose }: Wiring): CaseDirectory {
  const { address, security, log } = peer('cases-and-counters')
  const cases = { address, serverName: 'cases-and-counters', credentials: channelCredentials(security, log) }
  const objects = createGrpcClient(ObjectServiceClient, cases)
  const contacts = createGrpcClient(ContactServiceClient, cases)
  onClose('directory of cases', () => {
    objects.close()
    contacts.close()
  })

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
