import type { Fields, JsonSchema } from '../fields/index.js'
import { type Embeddable, type Embedded, isMany, type Nested } from './embedded.js'
import { type Column, columnsOf } from './resource.js'

/** The JSON Schema (2020-12) of an object. @param required the required properties. Default all */
export const object = (properties: object, required: readonly string[] = Object.keys(properties)): JsonSchema => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
})

/** The schema of a record with these columns, and of the nested objects by their wrappers. */
export const shown = (columns: readonly Column[], nested: Nested = {}): JsonSchema =>
  object({
    ...Object.fromEntries(columns.map(({ wire, field }) => [wire, field.output])),
    ...Object.fromEntries(Object.entries(nested).map(([wrapper, fields]) => [wrapper, shown(columnsOf(fields))])),
  })

const shownObjects = (embedded: Embedded[string]): JsonSchema => {
  const columns = columnsOf(embedded.fields)
  return 'by' in embedded ? shown(columns) : { type: 'array', items: shown(columns, embedded.nested) }
}

/** The schemas of the objects that are always embedded, by their wrappers. */
export const shownEmbedded = (embedded: Embedded) =>
  Object.fromEntries(Object.entries(embedded).map(([wrapper, objects]) => [wrapper, shownObjects(objects)]))

/** The schema of a body of `fields` without a wrapper. In a `partial` one no field is required. */
export function plainInput(fields: Fields, { partial = false } = {}): JsonSchema {
  const entries = Object.entries(fields)
  const required = entries.flatMap(([wire, { access }]) => (access.required && !partial ? [wire] : []))
  return object(Object.fromEntries(entries.map(([wire, { input }]) => [wire, input])), required)
}

/** The schemas of the objects that a list embeds on request, by their wrappers. A missing object is null. */
export const shownEmbeddable = (embeddable: Embeddable) =>
  Object.fromEntries(
    Object.entries(embeddable).map(([wrapper, objects]) => {
      const schema = shown(columnsOf(objects.fields))
      return [wrapper, isMany(objects) ? { type: 'array', items: schema } : { ...schema, type: ['object', 'null'] }]
    }),
  )

/** The schema of a body of `fields` in any of the wrappers; see `plainInput`. */
export function wrappedInput(wrappers: readonly string[], fields: Fields, options: { partial?: boolean } = {}): JsonSchema {
  const input = plainInput(fields, options)
  const properties = Object.fromEntries(wrappers.map((wrapper) => [wrapper, input]))
  return wrappers.length === 1
    ? object(properties)
    : { ...object(properties, []), anyOf: wrappers.map((wrapper) => ({ required: [wrapper] })) }
}
