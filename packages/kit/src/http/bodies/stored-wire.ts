import type { Id } from '../../caller/index.js'
import {
  type Column,
  columnsOf,
  columnsWithin,
  embeddedKeyIndex,
  isMany,
  type Many,
  type One,
  type Only,
  type Resource,
  type StoredEmbedded,
  type StoredRow,
  type Zones,
} from '../../resource/index.js'

/** Returns a function that encodes columns of a row as members of a JSON object, without its braces. @param from the index of the first column in the row */
const membersEncoder = (columns: readonly Column[], from = 0) => {
  const shown = columns.map(({ wire, field }, i) => ({ key: `${i === 0 ? '' : ','}${JSON.stringify(wire)}:`, field }))
  return (row: StoredRow, zone: string): string => {
    let json = ''
    let i = from
    for (const { key, field } of shown) {
      const text = row[i++] as string | null
      json += key + (text === null ? 'null' : field.transcode(text, zone))
    }
    return json
  }
}

/** Returns a function that encodes an embedded object, with its nested ones, as JSON text. */
function objectEncoder(objects: One | Many | Only) {
  const own = membersEncoder(columnsOf(objects.fields))
  const within = 'of' in objects ? columnsWithin(objects) : []
  const others = within.map(({ wrapper, columns, from }) => ({
    key: `,${JSON.stringify(wrapper)}:{`,
    encode: membersEncoder(columns, from),
  }))
  return (row: StoredRow, zone: string): string => {
    let json = `{${own(row, zone)}`
    for (const { key, encode } of others) json += `${key}${encode(row, zone)}}`
    return `${json}}`
  }
}

/** Returns a function that encodes the objects that are always embedded: each wrapper with a comma before it. They are in the row, behind the version. */
function embeddedEncoder({ columns, embedded }: Resource) {
  const wrappers = Object.entries(embedded).map(([wrapper, objects], i) => {
    const encode = objectEncoder(objects)
    return { key: `,${JSON.stringify(wrapper)}:`, encode, at: columns.length + 1 + i }
  })
  return (row: StoredRow, zone: string): string => {
    let json = ''
    for (const { key, encode, at } of wrappers) {
      const objects = row[at] as string
      json += key + (objects === '[]' ? objects : `[${(JSON.parse(objects) as StoredRow[]).map((object) => encode(object, zone)).join()}]`)
    }
    return json
  }
}

/** For each wrapper that may be embedded on request, a function that encodes its objects, with a comma before the wrapper. */
const embeddableEncoders = (resource: Resource) =>
  new Map(
    Object.entries(resource.embeddable).map(([wrapper, objects]) => {
      const at = embeddedKeyIndex(resource, objects)
      const encode = objectEncoder(objects)
      const follow = (row: StoredRow, found: ReadonlyMap<string, readonly StoredRow[]>, zone: string) => {
        const encoded = (found.get(row[at] ?? '') ?? []).map((object) => encode(object, zone))
        return `,${JSON.stringify(wrapper)}:${isMany(objects) ? `[${encoded.join()}]` : (encoded[0] ?? 'null')}`
      }
      return [wrapper, follow] as const
    }),
  )

/**
 * Returns a function that encodes stored rows as JSON text, byte for byte as `recordEncoder` would encode their records. Times are in the time zone of the
 * row's office where it has one, otherwise of the caller's.
 */
export function storedRowEncoder(resource: Resource, zones: Zones) {
  const { name, columns, unwrapped } = resource
  const encode = membersEncoder(columns)
  const encodeEmbedded = embeddedEncoder(resource)
  const followers = embeddableEncoders(resource)
  const [head, tail] = unwrapped ? ['', ''] : [`{${JSON.stringify(name)}:`, '}']
  const officeAt = columns.findIndex(({ wire }) => wire === 'customer_id')

  return async (
    rows: readonly StoredRow[],
    { customerId }: { customerId: Id | null },
    embeddable: StoredEmbedded = new Map(),
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
      let json = `${head}{${encode(row, zone)}}${encodeEmbedded(row, zone)}`
      for (const [wrapper, found] of embeddable) json += followers.get(wrapper)?.(row, found, zone)
      encoded.push(json + tail)
    }
    return encoded
  }
}

/** The version of a row: the text behind its columns. */
export const versionOf = ({ columns }: Resource, row: StoredRow): number => Number(row[columns.length])
