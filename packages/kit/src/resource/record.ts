import type { Client, Employee, Id } from '../caller/index.js'
import type { Fields, ValueOf } from '../fields/index.js'
import type { Embedded, Many } from './embedded.js'
import type { Camel } from './naming.js'
import type { NameOf, Resource } from './resource.js'

type Simplify<T> = { [K in keyof T]: T[K] } & {}

type Shown<F extends Fields> = { [Wire in NameOf<F, 'shown'> as Camel<Wire>]: ValueOf<F[Wire]> }

type Named<F extends Fields, Wire extends string> = { [W in Wire as Camel<W>]: ValueOf<F[W]> }

/** The values of decoded fields: required ones, and optionally the others. */
export type ValuesOf<F extends Fields, Wire extends string = keyof F & string> = Simplify<
  Named<F, Wire & NameOf<F, 'required'>> & Partial<Named<F, Exclude<Wire, NameOf<F, 'required'>>>>
>

/** A row of the resource's table: its columns and its version. */
export type RowOf<R extends Resource> = Simplify<Shown<R['fields']> & { version: number }>

/** An embedded object, with those nested in it. */
type ShownObject<E extends Embedded[string]> = Shown<E['fields']> &
  (E extends Many<string, Fields, infer N>
    ? { [Wrapper in keyof N & string as Uncapitalize<Wrapper>]: Simplify<Shown<N[Wrapper]>> }
    : unknown)

type EmbeddedValue<E extends Embedded[string]> = E extends Many ? readonly Simplify<ShownObject<E>>[] : Simplify<ShownObject<E>>

/** A record in TypeScript: with camelCase names, its version, and the embedded objects (`Client` as `client`). */
export type RecordOf<R extends Resource> = Simplify<
  RowOf<R> & { [Wrapper in keyof R['embedded'] & string as Uncapitalize<Wrapper>]: EmbeddedValue<R['embedded'][Wrapper]> }
>

/** The property by which an embedded object belongs to a record: for `one` its own id, for `many` the field with the id of the record. */
type Key<E extends Embedded[string]> = { readonly [Name in E extends Many<infer Of> ? Camel<Of> : 'id']: Id }

/** An embedded object as it is read. */
export type EmbeddedObject<E extends Embedded[string]> = Key<E> & ShownObject<E>

/**
 * The reads of embedded objects, each called once for all records of a page: with the ids of the objects (`one`), or of the records (`many`). A record whose
 * `one` object is not found is omitted.
 */
export type EmbeddedReads<R extends Resource> = {
  readonly [Wrapper in keyof R['embedded'] & string as Uncapitalize<Wrapper>]: (
    caller: CallerOf<R>,
    ids: readonly Id[],
  ) => Promise<readonly EmbeddedObject<R['embedded'][Wrapper]>[]>
}

/** The decoded body of a create. */
export type InputOf<R extends Resource> = ValuesOf<R['fields'], NameOf<R['fields'], 'create'>>

/** The decoded body of an update: only the fields that were sent. */
export type ChangesOf<R extends Resource> = Simplify<Partial<Named<R['fields'], NameOf<R['fields'], 'update'>>>>

/** The type of the caller, by the audience of the resource. */
export type CallerOf<R extends Resource> = R['audience'] extends 'client' ? Client : Employee

/** The end of a page: the value of the sorted field of its last record, and the id, which orders records with equal values. */
export interface Cursor {
  readonly value: unknown
  readonly id: Id
}

/** A decoded list request. Field names are camelCase. */
export interface ListQuery<R extends Resource = Resource> {
  readonly limit: number
  readonly cursor?: Cursor
  readonly sort: { readonly field: Camel<R['sort'][number]>; readonly descending: boolean }
  readonly filters: Simplify<Partial<Named<R['fields'], R['filter'][number]>>>
  readonly modifiedSince?: Date
  /** The parameter `q`. */
  readonly search?: string
  /** The wrappers of the objects to embed. */
  readonly embed?: readonly string[]
  /** Whether `total` is wanted. */
  readonly count: boolean
}

export interface Page<T> {
  readonly items: readonly T[]
  /** The start of the next page; missing on the last one. */
  readonly next?: Cursor
  /** The number of all records that match the filters. Missing unless `count` was set. */
  readonly total?: number
}

/**
 * Called where a body is refused: returns a text for each further invalid field among those that could be decoded, by its name on the wire, so that the
 * answer has all errors at once. `id` is that of the record to change; undefined for a create. `wrong` has the fields that were refused already.
 */
export type FieldErrors<Author, Sent> = (
  caller: Author,
  sent: Sent,
  id: Id | undefined,
  wrong: Readonly<Record<string, string>>,
) => Promise<Readonly<Record<string, string>> | undefined>

/**
 * The handlers of a resource's routes; a verb without a handler has no route. A service object whose methods have these names can be passed as it is.
 * `expected` is the version in `If-Match`.
 */
export interface ResourceHandlers<R extends Resource> {
  list?(caller: CallerOf<R>, query: ListQuery<R>): Promise<Page<RecordOf<R>>>
  get?(caller: CallerOf<R>, id: Id): Promise<RecordOf<R>>
  create?(caller: CallerOf<R>, input: InputOf<R>): Promise<Id | { readonly id: Id }>
  change?(caller: CallerOf<R>, id: Id, changes: ChangesOf<R>, expected?: number): Promise<unknown>
  remove?(caller: CallerOf<R>, id: Id, expected?: number): Promise<unknown>
  fieldErrors?: FieldErrors<CallerOf<R>, Partial<InputOf<R>> & ChangesOf<R>>
}
