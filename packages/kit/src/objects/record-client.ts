import { RecordServiceClient } from '@caseway/protos/objects/v1/records'
import type { Id } from '../caller/index.js'
import { type Peers, peerClients } from '../grpc/index.js'

/**
 * Reads records of another service: returns the JSON of each, in its wrapper `name`, by its id. Ids that the office does not have are missing.
 * @throws AppError `unavailable` where the service does not answer, `not-found` where it has no records of this name
 */
export type ReadRecords = (customerId: Id, name: string, ids: readonly Id[]) => Promise<ReadonlyMap<Id, string>>

/**
 * The gRPC client of a `recordService`.
 * @param owner the service that owns the records
 */
export function recordClient(owner: string, peers: Peers): ReadRecords {
  const client = peerClients(peers, owner)(RecordServiceClient)
  return async (customerId, name, ids) => {
    const { records } = await client.getRecords({ customerId, name, ids: [...ids] })
    return new Map(records.map(({ id, json }) => [id, json]))
  }
}
