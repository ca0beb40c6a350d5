import type { Id } from '../../caller/index.js'
import { type Column, columnsOf, type Embedded, embeddedName, type RecordOf, type Resource } from '../../resource/index.js'

interface Wire {
  [key: string]: string | number | object | null
}
type Values = Record<string, unknown>

/** A record as it leaves: a white list of its declared fields, under its wrapper, beside the objects that belong to it. */
export type WrappedRecord = Record<string, Wire | Wire[]>

/** @throws Error where a field of the declaration is missing: half a record is a fault of ours, and `undefined` is no value */
function encode(wrapper: string, columns: readonly Column[], record: Values | undefined, zone: string): Wire {
  const wire: Wire = {}
  for (const { wire: key, name, field } of columns) {
    const value = record?.[name]
    if (value === undefined) throw new Error(`${wrapper}.${key} is missing in a record that was read.`)
    wire[key] = value === null ? null : field.encode(value as NonNullable<unknown>, zone)
  }
  return wire
}

/** The function that puts records of `resource` on the wire, on the clocks of `zone`. */
export function recordEncoder<R extends Resource>({
  name,
  columns,
  embedded,
  unwrapped,
}: R): (record: RecordOf<R>, zone: string) => WrappedRecord {
  const others = Object.entries(embedded).map(([wrapper, beside]) => ({
    wrapper,
    name: embeddedName(wrapper),
    encode: besideEncoder(wrapper, beside),
  }))
  return (record, zone) => {
    const shown = encode(name, columns, record, zone)
    if (unwrapped) return shown as WrappedRecord
    const wrapped: WrappedRecord = { [name]: shown }
    for (const other of others) wrapped[other.wrapper] = other.encode((record as Values)[other.name], zone)
    return wrapped
  }
}

function besideEncoder(wrapper: string, embedded: Embedded[string]): (beside: unknown, zone: string) => Wire | Wire[] {
  const columns = columnsOf(embedded.fields)
  if ('by' in embedded) return (beside, zone) => encode(wrapper, columns, beside as Values | undefined, zone)
  const nested = Object.entries(embedded.nested).map(([within, fields]) => ({ within, columns: columnsOf(fields) }))
  const encodeWhole = (object: Values, zone: string) => {
    const wire = encode(wrapper, columns, object, zone)
    for (const { within, columns } of nested)
      wire[within] = encode(within, columns, object[embeddedName(within)] as Values | undefined, zone)
    return wire
  }
  return (beside, zone) => {
    if (beside === undefined) throw new Error(`${wrapper} is missing beside a record that was read.`)
    return (beside as Values[]).map((object) => encodeWhole(object, zone))
  }
}

/** The office on whose clocks a record is shown: its own, where it says so. */
export const officeOf = (record: Values, caller: { customerId: Id | null }): Id | null =>
  typeof record.customerId === 'bigint' ? record.customerId : caller.customerId
