import type { Client, Employee, Id } from '../caller/index.js'
import type { Fields, ValueOf } from '../fields/index.js'
import type { Embedded, Many } from './beside.js'
import type { Camel } from './naming.js'
import type { NameOf, Resource } from './resource.js'

type Simplify<T> = { [K in keyof T]: T[K] } & {}

type Shown<F extends Fields> = { [Wire in NameOf<F, 'shown'> as Camel<Wire>]: ValueOf<F[Wire]> }

type Named<F extends Fields, Wire extends string> = { [W in Wire as Camel<W>]: ValueOf<F[W]> }

/** What some fields bring: those that are required, and of the others what was sent. */
export type ValuesOf<F extends Fields, Wire extends string = keyof F & string> = Simplify<
  Named<F, Wire & NameOf<F, 'required'>> & Partial<Named<F, Exclude<Wire, NameOf<F, 'required'>>>>
>

/** What a row of the resource's table holds: its columns and its version. */
export type RowOf<R extends Resource> = Simplify<Shown<R['fields']> & { version: number }>

/** An object beside a record, with the objects within it. */
type ShownBeside<E extends Embedded[string]> = Shown<E['fields']> &
  (E extends Many<string, Fields, infer N>
    ? { [Wrapper in keyof N & string as Uncapitalize<Wrapper>]: Simplify<Shown<N[Wrapper]>> }
    : unknown)

type Beside<E extends Embedded[string]> = E extends Many ? readonly Simplify<ShownBeside<E>>[] : Simplify<ShownBeside<E>>

/** A record inside: camelCase, with its version, and with the objects beside it (`Client` as `client`). */
export type RecordOf<R extends Resource> = Simplify<
  RowOf<R> & { [Wrapper in keyof R['embedded'] & string as Uncapitalize<Wrapper>]: Beside<R['embedded'][Wrapper]> }
>

/** By which an object is put beside its record: its own id, or the one that it has of the record. */
type Key<E extends Embedded[string]> = { readonly [Name in E extends Many<infer Of> ? Camel<Of> : 'id']: Id }

/** An object beside a record as it is read. */
export type ObjectBeside<E extends Embedded[string]> = Key<E> & ShownBeside<E>

/**
 * How the objects beside the records are read, once for all records of a page: by the ids that the records have of them (`one`), or by the ids
 * of the records (`many`). Of `one`, a record whose object is not found is left out.
 */
export type EmbeddedReads<R extends Resource> = {
  readonly [Wrapper in keyof R['embedded'] & string as Uncapitalize<Wrapper>]: (
    caller: CallerOf<R>,
    ids: readonly Id[],
  ) => Promise<readonly ObjectBeside<R['embedded'][Wrapper]>[]>
}

/** What a create brings. */
export type InputOf<R extends Resource> = ValuesOf<R['fields'], NameOf<R['fields'], 'create'>>

/** What an update brings: only what was sent. */
export type ChangesOf<R extends Resource> = Simplify<Partial<Named<R['fields'], NameOf<R['fields'], 'update'>>>>

/** Who calls: the address decides. */
export type CallerOf<R extends Resource> = R['audience'] extends 'client' ? Client : Employee

/** Where the next page starts: after the record with this value of the sorted field, and this id among equal ones. */
export interface Cursor {
  readonly value: unknown
  readonly id: Id
}

/** A list as it was asked for. Names are those of the record. */
export interface ListQuery<R extends Resource = Resource> {
  readonly limit: number
  readonly cursor?: Cursor
  readonly sort: { readonly field: Camel<R['sort'][number]>; readonly descending: boolean }
  readonly filters: Simplify<Partial<Named<R['fields'], R['filter'][number]>>>
  readonly modifiedSince?: Date
  /** The text that is searched for. */
  readonly search?: string
  /** The wrappers of the objects that are wanted beside the records. */
  readonly embed?: readonly string[]
  /** Whether `total` is wanted. */
  readonly count: boolean
}

export interface Page<T> {
  readonly items: readonly T[]
  /** Missing on the last page. */
  readonly next?: Cursor
  /** All records that the filters let through. */
  readonly total?: number
}

/**
 * What can be done with a resource. Only the verbs that are given are routed, so that a service whose methods have these
 * names is all that its routes need. `expected` is the version of `If-Match`.
 */
export interface ResourceHandlers<R extends Resource> {
  list?(caller: CallerOf<R>, query: ListQuery<R>): Promise<Page<RecordOf<R>>>
  get?(caller: CallerOf<R>, id: Id): Promise<RecordOf<R>>
  create?(caller: CallerOf<R>, input: InputOf<R>): Promise<Id | { readonly id: Id }>
  change?(caller: CallerOf<R>, id: Id, changes: ChangesOf<R>, expected?: number): Promise<unknown>
  remove?(caller: CallerOf<R>, id: Id, expected?: number): Promise<unknown>
  /**
   * Asked where a body is refused: what else is wrong with the fields of it that could be read, by their names on the wire, so that the answer names
   * all of it at once. `id` is that of the record which was to be changed.
   */
  fieldErrors?(
    caller: CallerOf<R>,
    sent: Partial<InputOf<R>> & ChangesOf<R>,
    id?: Id,
  ): Promise<Readonly<Record<string, string>> | undefined>
}
