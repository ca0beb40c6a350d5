import type { Id } from '../../caller/index.js'
import type { Resource, StoredRow, Zones } from '../../resource/index.js'

/**
 * The function that puts rows of `resource` on the wire as PostgreSQL has written them: the JSON text of each, byte for byte what its record would
 * become. Times are in the zone of the row's office where it has one, else of the caller's.
 */
export function storedRowEncoder({ name, columns }: Resource, zones: Zones) {
  const shown = columns.map(({ wire, field }, i) => ({
    key: `${i === 0 ? `{${JSON.stringify(name)}:{` : ','}${JSON.stringify(wire)}:`,
    field,
  }))
  const officeAt = columns.findIndex(({ wire }) => wire === 'customer_id')

  const encode = (row: StoredRow, zone: string): string => {
    let json = ''
    let i = 0
    for (const { key, field } of shown) {
      const text = row[i++] as string | null
      json += key + (text === null ? 'null' : field.transcode(text, zone))
    }
    return `${json}}}`
  }

  return async (rows: readonly StoredRow[], { customerId }: { customerId: Id | null }): Promise<string[]> => {
    const encoded: string[] = []
    let office: string | null | undefined
    let zone = ''
    for (const row of rows) {
      const itsOffice = row[officeAt] ?? null
      if (itsOffice !== office) {
        zone = await zones(itsOffice === null ? customerId : BigInt(itsOffice))
        office = itsOffice
      }
      encoded.push(encode(row, zone))
    }
    return encoded
  }
}

/** The version is what a row ends with. */
export const versionOf = (row: StoredRow): number => Number(row.at(-1))
