import { undefinedIfNotFound } from '@caseway/kit/errors'
import { type GrpcClient, type Peers, peerClients } from '@caseway/kit/grpc'
import type { LinkableObject } from '@caseway/kit/objects'
import {
  type LinkableObject as Message,
  ObjectServiceClient,
  type ObjectServiceService,
  type Person,
} from '@caseway/protos/objects/v1/objects'
import { type ObjectName, type ObjectOwners, ownerOf } from './common-file-object.js'

/** ObjectOwners over gRPC. */
export function objectOwners(peers: Peers): ObjectOwners {
  const clients = new Map<string, GrpcClient<ObjectServiceService>>()
  for (const owner of new Set(Object.values(ownerOf))) clients.set(owner, peerClients(peers, owner)(ObjectServiceClient))
  const ask = (name: ObjectName) => clients.get(ownerOf[name]) as GrpcClient<ObjectServiceService>

  return {
    async mayLink({ role, userId: id }, customerId, { objectName, objectId }) {
      const person: Person = { kind: role === 'client' ? { $case: 'client', value: { id } } : { $case: 'employee', value: { id, role } } }
      const { object } = (await undefinedIfNotFound(ask(objectName).mayLink({ customerId, person, objectName, objectId }))) ?? {}
      return object && objectOf(object)
    },

    async some(customerId, { objectName, objectIds }) {
      const { objects } = await ask(objectName).getObjects({ customerId, objectName, objectIds: [...objectIds] })
      return objects.map(objectOf)
    },
  }
}

const objectOf = ({ id, userClientId, issueId, revision }: Message): LinkableObject => ({
  id,
  userClientId: userClientId ?? null,
  issueId: issueId ?? null,
  version: Number(revision),
})
