import type { Field, JsonSchema } from './field.js'
import { type Column, columnsOf, type Fields } from './resource.js'

export const object = (properties: object, required: readonly string[] = Object.keys(properties)): JsonSchema => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
})

/** Columns as they are shown. */
export const shown = (columns: readonly Column[]) => object(Object.fromEntries(columns.map(({ wire, field }) => [wire, field.output])))

/** The objects beside a record, by their wrappers. */
export const shownBeside = (joined: Readonly<Record<string, Fields>>) =>
  Object.fromEntries(Object.entries(joined).map(([wrapper, fields]) => [wrapper, shown(columnsOf(fields))]))

/** A wrapped body that carries some of `fields`. */
export function wrappedInput(wrapper: string, fields: Fields, names: readonly string[], required: readonly string[] = []): JsonSchema {
  const inputs = Object.fromEntries(names.map((wire) => [wire, (fields[wire] as Field).input]))
  return object({ [wrapper]: object(inputs, required) })
}
