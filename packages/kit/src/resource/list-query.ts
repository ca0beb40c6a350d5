import { invalid } from '../errors/index.js'
import { choice, type Field, FieldError, type Fields, flagText, integerText, line, timestamp } from '../fields/index.js'
import { decodeCursor } from './cursor.js'
import { camel } from './naming.js'
import type { ListQuery } from './record.js'
import type { Resource } from './resource.js'

export const defaultLimit = 500
const maxLimit = 1000

/** The parameters of pagination. */
export const pageFields = { limit: integerText({ min: 1, max: maxLimit }), cursor: line({ max: 8192 }) } satisfies Fields

/**
 * Has a description instead of examples, because Swagger UI would fill in the first example, and the list would lack older records.
 */
const modifiedSince: Field = {
  ...timestamp,
  input: { type: 'string', description: 'As `2026-11-21 09:30:00`, or with an offset: `2026-11-21T09:30:00+01:00`.' },
}

const searched: Field = {
  ...line({ max: 200 }),
  input: {
    type: 'string',
    maxLength: 200,
    description: 'Words that a record must all contain; the last one may be the beginning of a word.',
  },
}

/** A comma-separated list of some of `names`. */
const someOf = (names: readonly string[]): Field => ({
  ...line({ max: 200 }),
  input: { type: 'string', description: `Some of ${names.join(', ')}, separated by commas.` },
  decode(sent) {
    const wanted = String(sent).split(',')
    return wanted.every((name) => names.includes(name)) ? [...new Set(wanted)] : new FieldError(`must be some of ${names.join(', ')}`)
  },
})

/** All query parameters of a resource's list, by their names. */
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

/** The order of a list: `sort`, or the default order. Without `sort`, a search is in the default order if that is descending, otherwise by descending id. */
export const orderOf = ({ idColumn, defaultSort }: Resource, { sort, q }: { readonly sort?: string; readonly q?: string }): string =>
  sort ?? (q === undefined || defaultSort.startsWith('-') ? defaultSort : `-${idColumn.wire}`)

/**
 * Returns a function that decodes the query string of a resource's list. `field=` without a value means null for a nullable field. It throws AppError `invalid`
 * with a text for each invalid parameter.
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
    // `wrong` is a Map because a parameter may be named `__proto__`.
    if (wrong.size > 0) throw invalid(Object.fromEntries(wrong))
    const { limit = defaultLimit, count = false, modified_since: modifiedSince, q: search, embed } = values
    const sort = { field: camel(field), descending: order.startsWith('-') }
    return { limit, cursor, sort, filters: filtersOf(resource, values), modifiedSince, search, embed, count } as ListQuery<R>
  }
}

const filtersOf = ({ filter }: Resource, values: Record<string, unknown>) =>
  Object.fromEntries(filter.flatMap((wire) => (wire in values ? [[camel(wire), values[wire]]] : [])))
