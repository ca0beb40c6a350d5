/** A JSON Schema of draft 2020-12, as OpenAPI 3.1 shows it. */
export type JsonSchema = { readonly [keyword: string]: unknown }

/** The type of a field's column: values of cursors and filters are cast to it. */
export type SqlType = 'bigint' | 'integer' | 'numeric' | 'text' | 'boolean' | 'timestamptz' | 'date'

/** Why a value was refused. The text follows the name of the field, as in "must be an id". */
export class FieldError {
  constructor(readonly text: string) {}
}

/** What callers may do with a field. */
export interface Access {
  /** Whether a create may contain it. */
  readonly create: boolean
  /** Whether an update may contain it. */
  readonly update: boolean
  /** Whether a create must contain it, and no request may send it as null or blank text. */
  readonly required: boolean
  /** Whether it is part of the record. Otherwise it has no column. */
  readonly shown: boolean
}

/** Shown and never accepted: the default. */
export interface ReadOnly extends Access {
  readonly create: false
  readonly update: false
  readonly required: false
  readonly shown: true
}

/**
 * A kind of field: converts between the wire, the value in TypeScript and the column. `decode`, `encode` and `transcode` are never called with `null`: it stays
 * null where `nullable` allows it, and is refused elsewhere.
 */
export interface Field<Value = unknown, A extends Access = Access> {
  readonly sql: SqlType
  readonly access: A
  readonly nullable: boolean
  /** The error of a required field that is missing or blank. Default `is required`. */
  readonly missing?: string
  /** Whether an empty text is a value of a required field, rather than a missing one. */
  readonly mayBeEmpty?: boolean
  /** The schemas of the documentation: what is accepted, and what is shown. `decode` alone validates. */
  readonly input: JsonSchema
  readonly output: JsonSchema
  /** `zone` is the IANA name of the time zone of the record's office. */
  decode(wire: unknown, zone: string): Value | FieldError
  encode(value: NonNullable<Value>, zone: string): string | number | object
  /**
   * Converts PostgreSQL's text of a value (timestamps in UTC) to JSON text, byte for byte the same as `JSON.stringify` of `encode`.
   */
  transcode(text: string, zone: string): string
}

/** The type of the value of a field. */
export type ValueOf<F extends Field> = F extends Field<infer Value> ? Value : never

/** Fields by their names on the wire, which are also the names of their columns. */
export interface Fields {
  readonly [wire: string]: Field
}
