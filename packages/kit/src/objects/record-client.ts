import { RecordServiceClient } from '@caseway/protos/objects/v1/records'
import type { Id } from '../caller/index.js'
import { type Peers, peerClients } from '../grpc/index.js'

/**
 * Reads what another service shows of its records: JSON in the wrapper `name`, by the ids of those that the office has.
 * @throws AppError `unavailable` while the service does not answer, `not-found` for a name that it does not have
 */
export type ReadRecords = (customerId: Id, name: string, ids: readonly Id[]) => Promise<ReadonlyMap<Id, string>>

/**
 * The other side of `recordService`, over gRPC at the address that the configuration of the service names.
 * @param owner the service that shows the records
 */
export function recordClient(owner: string, peers: Peers): ReadRecords {
  const client = peerClients(peers, owner)(RecordServiceClient)
  return async (customerId, name, ids) => {
    const { records } = await client.getRecords({ customerId, name, ids: [...ids] })
    return new Map(records.map(({ id, json }) => [id, json]))
  }
}
