import { type Audience, type EmployeeRole, employees, type Role } from '../caller/index.js'
import type { Idempotency } from '../idempotency/index.js'
import type { Field } from './field.js'
import { type Camel, camel } from './naming.js'

/** Fields by their names on the wire, which are the names of their columns as well. */
export interface Fields {
  readonly [wire: string]: Field
}

/** Objects that a repository reads beside the record, by their wrappers: `{ "ProviderPerson": { … }, "Provider": { "name" } }`. */
export interface Joined {
  readonly [wrapper: string]: Fields
}

export type Verb = 'read' | 'create' | 'update' | 'remove'

type Kept<A extends Audience> = 'id' | 'created' | 'modified' | (A extends 'expert' ? 'customer_id' : never)

/** The fields that a request may carry. A client of several offices may name one; an employee's is known. */
export type InputName<F extends Fields, A extends Audience> = {
  [Wire in keyof F & string]: Wire extends Kept<A> ? never : F[Wire]['access'] extends 'read-only' ? never : Wire
}[keyof F & string]

/** The fields that have a column. */
export type ColumnName<F extends Fields> = {
  [Wire in keyof F & string]: F[Wire]['access'] extends 'write-only' ? never : Wire
}[keyof F & string]

export interface ResourceDeclaration<
  F extends Fields,
  Create extends string,
  Required extends string,
  Update extends string,
  Filter extends string,
  Sort extends string,
  A extends Audience,
  J extends Joined,
> {
  /** The wrapper of a record, and its name in the document. */
  readonly name: string
  /** Wrappers that old callers use on input. */
  readonly alsoAccepts?: readonly string[]
  /** Below `/rest/`. */
  readonly path: string
  readonly table: string
  readonly fields: F
  readonly create?: readonly Create[]
  /** Of `create`: never missing there, and never blank in any request. */
  readonly required?: readonly Required[]
  readonly update?: readonly Update[]
  readonly filter?: readonly Filter[]
  /** The first one is the order of a list that names none. */
  readonly sort?: readonly [Sort, ...Sort[]]
  /** Why no index serves one of `sort` and `filter` (`itServesListsFromIndexes` in packages/testing demands one for each of the others). */
  readonly unindexed?: Partial<Record<NoInfer<Filter | Sort>, string>>
  /** Who may, where not every employee (or, on the client address, every client) may. */
  readonly roles?: Partial<Record<Verb, readonly (A extends 'expert' ? EmployeeRole : 'client')[]>>
  /** The address that serves it, and so who calls: `expert` unless said otherwise. */
  readonly audience?: A
  /** On the client address: the column that must hold the id of the client who asks. */
  readonly ownedBy?: string
  readonly joined?: J
  /** Lists are `{ "results": [ … ] }` instead of `[ … ]`. */
  readonly listAs?: 'results'
  /** How a POST goes with an `Idempotency-Key`: `transaction` unless said otherwise. */
  readonly idempotency?: Idempotency
}

/** A field that has a column: `wire` outside and in SQL, `name` inside. */
export interface Column {
  readonly wire: string
  readonly name: string
  readonly field: Field
}

export interface Resource<
  F extends Fields = Fields,
  Create extends string = string,
  Required extends string = string,
  Update extends string = string,
  Filter extends string = string,
  Sort extends string = string,
  A extends Audience = Audience,
  J extends Joined = Joined,
> {
  readonly name: string
  readonly alsoAccepts: readonly string[]
  readonly path: string
  readonly table: string
  readonly fields: F
  readonly columns: readonly Column[]
  readonly create: readonly Create[]
  readonly required: readonly Required[]
  readonly update: readonly Update[]
  readonly filter: readonly Filter[]
  readonly sort: readonly Sort[]
  readonly unindexed: Partial<Record<Filter | Sort, string>>
  readonly roles: Readonly<Record<Verb, readonly Role[]>>
  readonly audience: A
  readonly ownedBy: string | undefined
  readonly joined: J
  readonly listAs: 'results' | undefined
  readonly idempotency: Idempotency
}

/** Declares a resource: everything on the wire, and the plain reads, are derived from this. */
export function defineResource<
  const F extends Fields,
  const Create extends InputName<F, A> = never,
  const Required extends Create = never,
  const Update extends InputName<F, A> = never,
  const Filter extends ColumnName<F> = never,
  const Sort extends ColumnName<F> = never,
  const A extends Audience = 'expert',
  const J extends Joined = Record<never, never>,
>(
  declaration: ResourceDeclaration<F, Create, Required, Update, Filter, Sort, A, J>,
): Resource<F, Create, Required, Update, Filter, Sort, A, J> {
  const { fields, audience = 'expert' as A, roles } = declaration
  const everybody: readonly Role[] = audience === 'client' ? ['client'] : employees
  return {
    ...declaration,
    audience,
    alsoAccepts: declaration.alsoAccepts ?? [],
    columns: columnsOf(fields),
    create: declaration.create ?? [],
    required: declaration.required ?? [],
    update: declaration.update ?? [],
    filter: declaration.filter ?? [],
    sort: declaration.sort ?? ['id' as Sort],
    unindexed: declaration.unindexed ?? {},
    roles: { read: everybody, create: everybody, update: everybody, remove: everybody, ...roles },
    ownedBy: declaration.ownedBy,
    joined: declaration.joined ?? ({} as J),
    listAs: declaration.listAs,
    idempotency: declaration.idempotency ?? 'transaction',
  }
}

/** The fields that are shown, in the order of their declaration. */
export const columnsOf = (fields: Fields): Column[] =>
  Object.entries(fields)
    .filter(([, field]) => field.access !== 'write-only')
    .map(([wire, field]) => ({ wire, name: camel(wire), field }))

export type { Camel }
