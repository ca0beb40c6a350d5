import type { Fields, JsonSchema } from '../fields/index.js'
import { type Column, columnsOf, type Embedded } from './resource.js'

export const object = (properties: object, required: readonly string[] = Object.keys(properties)): JsonSchema => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
})

/** Columns as they are shown. */
export const shown = (columns: readonly Column[]) => object(Object.fromEntries(columns.map(({ wire, field }) => [wire, field.output])))

const shownBeside = (embedded: Embedded[string]): JsonSchema => {
  const schema = shown(columnsOf(embedded.fields))
  return 'by' in embedded ? schema : { type: 'array', items: schema }
}

/** The objects beside a record, by their wrappers. */
export const shownEmbedded = (embedded: Embedded) =>
  Object.fromEntries(Object.entries(embedded).map(([wrapper, objects]) => [wrapper, shownBeside(objects)]))

/** A body of `fields` without a wrapper. In a `partial` one none of them is required. */
export function plainInput(fields: Fields, { partial = false } = {}): JsonSchema {
  const entries = Object.entries(fields)
  const required = entries.flatMap(([wire, { access }]) => (access.required && !partial ? [wire] : []))
  return object(Object.fromEntries(entries.map(([wire, { input }]) => [wire, input])), required)
}

/** A wrapped body of `fields`, as `plainInput`. */
export const wrappedInput = (wrapper: string, fields: Fields, options: { partial?: boolean } = {}): JsonSchema =>
  object({ [wrapper]: plainInput(fields, options) })
