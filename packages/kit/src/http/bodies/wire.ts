import type { Id } from '../../caller/index.js'
import { type Column, columnsOf, type Embedded, embeddedName, type RecordOf, type Resource } from '../../resource/index.js'

interface Wire {
  [key: string]: string | number | object | null
}
type Values = Record<string, unknown>

/** A record on the wire: its declared fields and no others, in its wrapper, and the embedded objects in theirs. */
export type WrappedRecord = Record<string, Wire | Wire[]>

/** @throws Error where a declared field is undefined: the code that read the record is wrong */
function encode(wrapper: string, columns: readonly Column[], record: Values | undefined, zone: string): Wire {
  const wire: Wire = {}
  for (const { wire: key, name, field } of columns) {
    const value = record?.[name]
    if (value === undefined) throw new Error(`${wrapper}.${key} is missing in a record that was read.`)
    wire[key] = value === null ? null : field.encode(value as NonNullable<unknown>, zone)
  }
  return wire
}

/** Returns a function that encodes records of `resource`, with times in `zone`. */
export function recordEncoder<R extends Resource>({
  name,
  columns,
  embedded,
  unwrapped,
}: R): (record: RecordOf<R>, zone: string) => WrappedRecord {
  const others = Object.entries(embedded).map(([wrapper, objects]) => ({
    wrapper,
    name: embeddedName(wrapper),
    encode: objectsEncoder(wrapper, objects),
  }))
  return (record, zone) => {
    const shown = encode(name, columns, record, zone)
    if (unwrapped) return shown as WrappedRecord
    const wrapped: WrappedRecord = { [name]: shown }
    for (const other of others) wrapped[other.wrapper] = other.encode((record as Values)[other.name], zone)
    return wrapped
  }
}

function objectsEncoder(wrapper: string, embedded: Embedded[string]): (objects: unknown, zone: string) => Wire | Wire[] {
  const columns = columnsOf(embedded.fields)
  if ('by' in embedded) return (objects, zone) => encode(wrapper, columns, objects as Values | undefined, zone)
  const nested = Object.entries(embedded.nested).map(([within, fields]) => ({ within, columns: columnsOf(fields) }))
  const encodeWhole = (object: Values, zone: string) => {
    const wire = encode(wrapper, columns, object, zone)
    for (const { within, columns } of nested)
      wire[within] = encode(within, columns, object[embeddedName(within)] as Values | undefined, zone)
    return wire
  }
  return (objects, zone) => {
    if (objects === undefined) throw new Error(`${wrapper} is missing from a record that was read.`)
    return (objects as Values[]).map((object) => encodeWhole(object, zone))
  }
}

/** The office in whose time zone a record is shown: its own where it has one, otherwise the caller's. */
export const officeOf = (record: Values, caller: { customerId: Id | null }): Id | null =>
  typeof record.customerId === 'bigint' ? record.customerId : caller.customerId
