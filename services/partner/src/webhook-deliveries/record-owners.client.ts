import type { Id } from '@caseway/kit/caller'
import type { Peers } from '@caseway/kit/grpc'
import { type ReadRecords, recordClient, type ShownRecords } from '@caseway/kit/objects'
import { webhookRecords } from '../webhook-events/event-type.js'
import type { RecordSource } from './record-source.js'

interface Wiring extends Peers {
  /** The IANA name of the time zone of an office. */
  zoneOf(customerId: Id): Promise<string>
}

/**
 * Reads records from their owners over gRPC.
 * @param own the records of this service
 */
export function recordOwners({ zoneOf, ...peers }: Wiring, own: readonly ShownRecords[]): RecordSource {
  const readers = new Map<string, ReadRecords>()
  const owners = new Set<string>(Object.values(webhookRecords).map(({ owner }) => owner))
  owners.delete('partner')
  for (const owner of owners) readers.set(owner, recordClient(owner, peers))
  const ownerOf = new Map<string, string>(Object.values(webhookRecords).map(({ resource, owner }) => [resource, owner]))

  return {
    async read(customerId, name, ids) {
      const read = readers.get(ownerOf.get(name) ?? '')
      if (read) return read(customerId, name, ids)
      const shown = own.find((one) => one.name === name)
      const records = (await shown?.some(customerId, ids, await zoneOf(customerId))) ?? []
      return new Map(records.map(({ id, json }) => [id, json]))
    },
  }
}
