import type { Fields } from '../fields/index.js'

/** One embedded object, next to the record in a wrapper of its own. */
export interface One<By extends string = string, F extends Fields = Fields> {
  /** The field of the record that holds the id of the object. */
  readonly by: By
  readonly fields: F
}

/** Embeds the object whose id is in the field `by` of the record, with `fields`. */
export const one = <const By extends string, const F extends Fields>(by: By, fields: F): One<By, F> => ({ by, fields })

/** The fields of nested objects, by their wrappers. */
export interface Nested {
  readonly [wrapper: string]: Fields
}

/** Embedded objects: all those that refer to the record, in an array. */
export interface Many<Of extends string = string, F extends Fields = Fields, N extends Nested = Nested> {
  /** The field of the objects that holds the id of the record. */
  readonly of: Of
  readonly fields: F
  /** An object that is nested in each of them: `{ "CommonFileObject": [ { "id", …, "CommonFile": { … } } ] }`. */
  readonly nested: N
}

/** Embeds all objects whose field `of` holds the id of the record, with `fields` and the `nested` objects. */
export const many = <const Of extends string, const F extends Fields, const N extends Nested = Record<never, never>>(
  of: Of,
  fields: F,
  nested: N = {} as N,
): Many<Of, F, N> => ({ of, fields, nested })

/** The one embedded object that refers to the record, or null. */
export interface Only<Of extends string = string, F extends Fields = Fields> extends Many<Of, F, Record<never, never>> {
  readonly only: true
}

/** Embeds the only object whose field `of` holds the id of the record, with `fields`. */
export const only = <const Of extends string, const F extends Fields>(of: Of, fields: F): Only<Of, F> => ({
  of,
  fields,
  nested: {},
  only: true,
})

/** Whether the embedded objects are an array; otherwise there is one object or null. */
export const isMany = (objects: One | Many | Only): boolean => 'of' in objects && !('only' in objects)

/**
 * The objects that a list embeds on request, by their wrappers: `?embed=Client,Tag`. A missing object is null. Their fields must not be flags, because they are
 * read as arrays of texts, in which PostgreSQL writes a boolean differently than in a column.
 */
export interface Embeddable {
  readonly [wrapper: string]: One | Many | Only
}

/**
 * The objects that are always embedded, by their wrappers: `{ "ProviderPerson": { … }, "Provider": { "name" } }` with `one`, and
 * `{ "Group": { … }, "UserGroup": [ { "user_id", "group_id" } ] }` with `many`.
 */
export interface Embedded {
  readonly [wrapper: string]: One | Many
}
