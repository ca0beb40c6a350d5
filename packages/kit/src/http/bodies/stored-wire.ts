import type { Id } from '../../caller/index.js'
import {
  type Column,
  columnBeside,
  columnsOf,
  isMany,
  type Resource,
  type StoredBeside,
  type StoredRow,
  type Zones,
} from '../../resource/index.js'

/** Columns as the JSON text of an object. */
const objectEncoder = (columns: readonly Column[]) => {
  const shown = columns.map(({ wire, field }, i) => ({ key: `${i === 0 ? '{' : ','}${JSON.stringify(wire)}:`, field }))
  return (row: StoredRow, zone: string): string => {
    let json = ''
    let i = 0
    for (const { key, field } of shown) {
      const text = row[i++] as string | null
      json += key + (text === null ? 'null' : field.transcode(text, zone))
    }
    return `${json}}`
  }
}

/** What follows the JSON text of a record, for each wrapper that may stand beside it. */
const besideEncoders = (resource: Resource) =>
  new Map(
    Object.entries(resource.embeddable).map(([wrapper, objects]) => {
      const at = columnBeside(resource, objects)
      const encode = objectEncoder(columnsOf(objects.fields))
      const follow = (row: StoredRow, found: ReadonlyMap<string, readonly StoredRow[]>, zone: string) => {
        const encoded = (found.get(row[at] ?? '') ?? []).map((object) => encode(object, zone))
        return `,${JSON.stringify(wrapper)}:${isMany(objects) ? `[${encoded.join()}]` : (encoded[0] ?? 'null')}`
      }
      return [wrapper, follow] as const
    }),
  )

/**
 * The function that puts rows of `resource` on the wire as PostgreSQL has written them: the JSON text of each, byte for byte what its record would
 * become. Times are in the zone of the row's office where it has one, else of the caller's.
 */
export function storedRowEncoder(resource: Resource, zones: Zones) {
  const { name, columns, unwrapped } = resource
  const encode = objectEncoder(columns)
  const followers = besideEncoders(resource)
  const [head, tail] = unwrapped ? ['', ''] : [`{${JSON.stringify(name)}:`, '}']
  const officeAt = columns.findIndex(({ wire }) => wire === 'customer_id')

  return async (
    rows: readonly StoredRow[],
    { customerId }: { customerId: Id | null },
    beside: StoredBeside = new Map(),
  ): Promise<string[]> => {
    const encoded: string[] = []
    let office: string | null | undefined
    let zone = ''
    for (const row of rows) {
      const itsOffice = row[officeAt] ?? null
      if (itsOffice !== office) {
        zone = await zones(itsOffice === null ? customerId : BigInt(itsOffice))
        office = itsOffice
      }
      let json = head + encode(row, zone)
      for (const [wrapper, found] of beside) json += followers.get(wrapper)?.(row, found, zone)
      encoded.push(json + tail)
    }
    return encoded
  }
}

/** The version is what a row ends with. */
export const versionOf = (row: StoredRow): number => Number(row.at(-1))
