import type { Id } from '@caseway/kit/caller'
import { channelCredentials, createGrpcClient, type GrpcClient, type GrpcEndpoint } from '@caseway/kit/grpc'
import type { ShownRecords } from '@caseway/kit/objects'
import { RecordServiceClient, type RecordServiceService } from '@caseway/protos/objects/v1/records'
import { toldRecords } from '../webhook-events/event-type.js'
import type { RecordSource } from './record-source.js'

interface Wiring {
  peer(service: string): GrpcEndpoint
  onClose(name: string, close: () => unknown): void
  /** The IANA name of the time zone of an office. */
  zoneOf(customerId: Id): Promise<string>
}

/**
 * The owners over gRPC, at the addresses that the configuration names.
 * @param own what this service shows itself
 */
export function recordOwners({ peer, onClose, zoneOf }: Wiring, own: readonly ShownRecords[]): RecordSource {
  const clients = new Map<string, GrpcClient<typeof RecordServiceService>>()
  const owners = new Set<string>(Object.values(toldRecords).map(({ owner }) => owner))
  owners.delete('partner')
  for (const owner of owners) {
    const { address, security, log } = peer(owner)
    const client = createGrpcClient(RecordServiceClient, { address, serverName: owner, credentials: channelCredentials(security, log) })
    clients.set(owner, client)
    onClose(`records of ${owner}`, client.close)
  }
  const ownerOf = new Map<string, string>(Object.values(toldRecords).map(({ resource, owner }) => [resource, owner]))

  return {
    async read(customerId, name, ids) {
      const client = clients.get(ownerOf.get(name) ?? '')
      const shown = own.find((one) => one.name === name)
      const records = client
        ? (await client.getRecords({ customerId, name, ids: [...ids] })).records
        : ((await shown?.some(customerId, ids, await zoneOf(customerId))) ?? [])
      return new Map(records.map(({ id, json }) => [id, json]))
    },
  }
}
