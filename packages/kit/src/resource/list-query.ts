import { invalid } from '../errors/index.js'
import { choice, type Field, FieldError, type Fields, flagText, integerText, line, timestamp } from '../fields/index.js'
import { decodeCursor } from './cursor.js'
import { camel } from './naming.js'
import type { ListQuery } from './record.js'
import type { Resource } from './resource.js'

export const defaultLimit = 500
const maxLimit = 1000

/** The parameters that say which page of a list is asked for. */
export const pageFields = { limit: integerText({ min: 1, max: maxLimit }), cursor: line({ max: 8192 }) } satisfies Fields

/**
 * Said in words: Swagger UI fills a parameter in with its first example, and a list that is tried out would leave out what is older.
 */
const modifiedSince: Field = {
  ...timestamp,
  input: { type: 'string', description: 'As `2026-11-21 09:30:00`, or with an offset: `2026-11-21T09:30:00+01:00`.' },
}

const searched: Field = {
  ...line({ max: 200 }),
  input: { type: 'string', maxLength: 200, description: 'Words, all of which a record has; of the last one its beginning is enough.' },
}

/** Some of `names`, divided by commas. */
const someOf = (names: readonly string[]): Field => ({
  ...line({ max: 200 }),
  input: { type: 'string', description: `Some of ${names.join(', ')}, divided by commas.` },
  decode(sent) {
    const wanted = String(sent).split(',')
    return wanted.every((name) => names.includes(name)) ? [...new Set(wanted)] : new FieldError(`must be some of ${names.join(', ')}`)
  },
})

/** Every parameter of a resource's list. */
export function listParameters({ fields, filter, sort, search, embeddable }: Resource): Fields {
  return {
    ...pageFields,
    sort: choice(...sort.flatMap((field) => [field, `-${field}`])),
    count: flagText,
    ...(fields.modified && { modified_since: modifiedSince }),
    ...(search && { q: searched }),
    ...(Object.keys(embeddable).length > 0 && { embed: someOf(Object.keys(embeddable)) }),
    ...Object.fromEntries(filter.map((wire) => [wire, fields[wire] as Field])),
  }
}

function decodeParameter(field: Field | undefined, sent: unknown, zone: string): unknown {
  if (!field) return new FieldError('is not a parameter of this list')
  if (typeof sent !== 'string') return new FieldError('must be given once')
  if (sent === '' && field.nullable) return null
  return field.decode(sent, zone)
}

/** The order of a list: `sort`, or the default one. A search is newest first: by the default order where that is descending, otherwise by id. */
export const orderOf = ({ idColumn, defaultSort }: Resource, { sort, q }: { readonly sort?: string; readonly q?: string }): string =>
  sort ?? (q === undefined || defaultSort.startsWith('-') ? defaultSort : `-${idColumn.wire}`)

/**
 * Reads the query strings of a resource's list. `field=` asks for records where a field that may be null is null.
 * @throws AppError `invalid` with every wrong parameter
 */
export function listQueryReader<R extends Resource>(resource: R): (sent: unknown, zone: string) => ListQuery<R> {
  const parameters = listParameters(resource)
  return (sent, zone) => {
    const values: Record<string, unknown> = {}
    const wrong = new Map<string, string>()
    for (const [name, given] of Object.entries(sent as object)) {
      const value = decodeParameter(Object.hasOwn(parameters, name) ? parameters[name] : undefined, given, zone)
      if (value instanceof FieldError) wrong.set(name, value.text)
      else values[name] = value
    }
    const order = orderOf(resource, values)
    const field = order.replace(/^-/, '')
    const cursor = values.cursor === undefined ? undefined : decodeCursor(values.cursor as string, order, resource.fields[field] as Field)
    if (cursor instanceof FieldError && !wrong.has('sort')) wrong.set('cursor', cursor.text)
    // Not an object that grows: a parameter may be called `__proto__`.
    if (wrong.size > 0) throw invalid(Object.fromEntries(wrong))
    const { limit = defaultLimit, count = false, modified_since: modifiedSince, q: search, embed } = values
    const sort = { field: camel(field), descending: order.startsWith('-') }
    return { limit, cursor, sort, filters: filtersOf(resource, values), modifiedSince, search, embed, count } as ListQuery<R>
  }
}

const filtersOf = ({ filter }: Resource, values: Record<string, unknown>) =>
  Object.fromEntries(filter.flatMap((wire) => (wire in values ? [[camel(wire), values[wire]]] : [])))
