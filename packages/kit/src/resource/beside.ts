import type { Fields } from '../fields/index.js'

/** One embedded object: it stands beside the record, in a wrapper of its own. */
export interface One<By extends string = string, F extends Fields = Fields> {
  /** The field of the record that holds the id of the object. */
  readonly by: By
  readonly fields: F
}

/** Some fields of the object whose id is in the field `by` of the record. */
export const one = <const By extends string, const F extends Fields>(by: By, fields: F): One<By, F> => ({ by, fields })

/** The fields of the objects within an object, by their wrappers. */
export interface Nested {
  readonly [wrapper: string]: Fields
}

/** Embedded objects: all those that name the record, in an array beside it. */
export interface Many<Of extends string = string, F extends Fields = Fields, N extends Nested = Nested> {
  /** The field of the objects that holds the id of the record. */
  readonly of: Of
  readonly fields: F
  /** One object within each of them, by its wrapper: `{ "CommonFileObject": [ { "id", …, "CommonFile": { … } } ] }`. */
  readonly nested: N
}

/** Some fields of all objects in whose field `of` the id of the record is, and of the objects within them. */
export const many = <const Of extends string, const F extends Fields, const N extends Nested = Record<never, never>>(
  of: Of,
  fields: F,
  nested: N = {} as N,
): Many<Of, F, N> => ({ of, fields, nested })

/** The one embedded object that names the record, or null. */
export interface Only<Of extends string = string, F extends Fields = Fields> extends Many<Of, F, Record<never, never>> {
  readonly only: true
}

/** Some fields of the one object in whose field `of` the id of the record is. */
export const only = <const Of extends string, const F extends Fields>(of: Of, fields: F): Only<Of, F> => ({
  of,
  fields,
  nested: {},
  only: true,
})

/** Whether a record has an array of such objects beside it; otherwise it is one object or null. */
export const isMany = (objects: One | Many | Only): boolean => 'of' in objects && !('only' in objects)

/**
 * The objects that a list embeds on request, by their wrappers: `?embed=Client,Tag`. A missing object is null. They are read as arrays of texts, in which
 * PostgreSQL writes a boolean differently than in a column, so that no field of them may be a flag.
 */
export interface Embeddable {
  readonly [wrapper: string]: One | Many | Only
}

/**
 * Objects beside a record, by their wrappers: `{ "ProviderPerson": { … }, "Provider": { "name" } }` with `one`, and
 * `{ "Group": { … }, "UserGroup": [ { "user_id", "group_id" } ] }` with `many`.
 */
export interface Embedded {
  readonly [wrapper: string]: One | Many
}
