import type { Access, Field, JsonSchema, ReadOnly } from './field.js'

/** A field that is shown and never accepted, until it is wrapped in `writable`, `once` or the like. */
export type Kind<Value> = Field<Value, ReadOnly>

const readOnly: ReadOnly = { create: false, update: false, required: false, shown: true }

export const kind = <Value>(form: Omit<Kind<Value>, 'access' | 'nullable'>): Kind<Value> => ({ ...form, access: readOnly, nullable: false })

const orNull = (schema: JsonSchema): JsonSchema => {
  if (Array.isArray(schema.enum))
    return { ...schema, ...(schema.type !== undefined && { type: [schema.type, 'null'] }), enum: [...schema.enum, null] }
  return { ...schema, type: [schema.type, 'null'].flat() }
}

/** The same kind, which also accepts and shows null. */
export const nullable = <Value, A extends Access>(kind: Field<Value, A>): Field<Value | null, A> =>
  ({ ...kind, nullable: true, input: orNull(kind.input), output: orNull(kind.output) }) as Field<Value | null, A>
