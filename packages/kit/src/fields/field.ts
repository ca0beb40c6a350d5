/** A JSON Schema of draft 2020-12, as OpenAPI 3.1 shows it. */
export type JsonSchema = { readonly [keyword: string]: unknown }

/** The type of a field's column: values of cursors and filters are cast to it. */
export type SqlType = 'bigint' | 'integer' | 'numeric' | 'text' | 'boolean' | 'timestamptz' | 'date'

/** Why a value was refused: a text for people that follows the name of the field. */
export class FieldError {
  constructor(readonly text: string) {}
}

/** What callers may do with a field. */
export interface Access {
  /** Whether a create may carry it. */
  readonly create: boolean
  /** Whether an update may carry it. */
  readonly update: boolean
  /** Whether a create must carry it, and no request may leave it blank. */
  readonly required: boolean
  /** Whether it is part of the record. A field that is not has no column. */
  readonly shown: boolean
}

/** Shown and never input: what a field is that says nothing else. */
export interface ReadOnly extends Access {
  readonly create: false
  readonly update: false
  readonly required: false
  readonly shown: true
}

/**
 * A kind of field: the one place where its form on the wire, its value inside and its column meet. `null` never comes to
 * `decode`, `encode` and `transcode`: it stays null where `nullable` allows it and is refused elsewhere.
 */
export interface Field<Value = unknown, A extends Access = Access> {
  readonly sql: SqlType
  readonly access: A
  readonly nullable: boolean
  /** What is said where a required field is missing or blank, instead of `is required`. */
  readonly missing?: string
  /** What is accepted and what is shown, for the document. `decode` is what decides. */
  readonly input: JsonSchema
  readonly output: JsonSchema
  /** `zone` is the IANA name of the time zone of the record's office. */
  decode(wire: unknown, zone: string): Value | FieldError
  encode(value: NonNullable<Value>, zone: string): string | number | object
  /**
   * From PostgreSQL's text of a value (timestamps in UTC) to its JSON text on the wire, without the value in between: byte for byte what
   * `encode` leads to.
   */
  transcode(text: string, zone: string): string
}

/** The value inside that a field holds. */
export type ValueOf<F extends Field> = F extends Field<infer Value> ? Value : never

/** Fields by their names on the wire, which are the names of their columns as well. */
export interface Fields {
  readonly [wire: string]: Field
}
