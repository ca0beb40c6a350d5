import { type RecordServiceServer, RecordServiceService, type ShownRecord } from '@caseway/protos/objects/v1/records'
import type { Employee, Id } from '../caller/index.js'
import { notFound } from '../errors/index.js'
import type { Fields } from '../fields/index.js'
import { unary } from '../grpc/index.js'
import { recordEncoder } from '../http/index.js'
import type { Resource } from '../resource/index.js'

/** The records of one resource, encoded as on the wire. */
export interface ShownRecords {
  /** The wrapper of the records. */
  readonly name: string
  /** The records with these ids that belong to the office, with times in `zone`. */
  some(customerId: Id, ids: readonly Id[], zone: string): Promise<ShownRecord[]>
}

interface Reads<Found> {
  some(caller: Employee, ids: readonly Id[]): Promise<readonly Found[]>
}

type OfOffices = Resource<Fields, string, string, 'expert'>
type Row<R extends OfOffices> = Parameters<ReturnType<typeof recordEncoder<R>>>[0]

/**
 * The records of a resource as an administrator of the office would get them by GET, always in their wrapper.
 * @throws Error for a resource whose records belong to a person (`ownedBy`)
 */
export function shownRecords<R extends OfOffices>(resource: R, reads: Reads<Row<R>>): ShownRecords {
  const { name, ownedBy, idColumn } = resource
  if (ownedBy !== undefined) throw new Error(`${name} belongs to a person, so it cannot be served to other services.`)
  const encode = recordEncoder({ ...resource, unwrapped: false })
  const idOf = (record: object) => (record as Record<string, unknown>)[idColumn.name] as Id
  return {
    name,
    async some(customerId, ids, zone) {
      const reader: Employee = { audience: 'expert', role: 'administrator', customerId, userId: 0n, sessionId: '' }
      const records = await reads.some(reader, ids)
      return records.map((record) => ({ id: idOf(record), json: JSON.stringify(encode(record, zone)) }))
    },
  }
}

/**
 * Implements `RecordService`, by which other services read records of this one: an entry of `grpc.services` in its wiring,
 * `recordService(offices.timeZoneOf, shownRecords(tagResource, tags))`.
 * @param zoneOf the IANA name of the time zone of an office
 */
export function recordService(
  zoneOf: (customerId: Id) => Promise<string>,
  ...records: readonly ShownRecords[]
): readonly [typeof RecordServiceService, RecordServiceServer] {
  const byName = new Map(records.map((one) => [one.name, one]))
  return [
    RecordServiceService,
    {
      getRecords: unary(async ({ customerId, name, ids }) => {
        const found = byName.get(name)
        if (!found) throw notFound()
        return { records: await found.some(customerId, ids, await zoneOf(customerId)) }
      }),
    },
  ]
}
