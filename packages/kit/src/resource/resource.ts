import { type Audience, type EmployeeRole, type Role, rolesOf } from '../caller/index.js'
import type { Access, Field, Fields, ReadOnly } from '../fields/index.js'
import type { Idempotency } from '../idempotency/index.js'
import type { Embeddable, Embedded, Many, One, Only } from './beside.js'
import { type Camel, camel, embeddedName } from './naming.js'

/** The index of the column by which embedded objects are found: the one that holds their id, or the record's own id. */
export const columnBeside = ({ columns, idColumn }: Pick<Resource, 'columns' | 'idColumn'>, objects: One | Many | Only): number =>
  columns.findIndex(({ wire }) => wire === ('by' in objects ? objects.by : idColumn.wire))

/**
 * Where the words of the records are, for the parameter `q` of a list: a table with the column `document` (tsvector), a row for each record. The
 * functions `search_query` and `found` are the service's own, in its migrations.
 */
export interface Search {
  readonly table: string
  /** Its column with the id of the record. */
  readonly of: string
  /** The labels of the words that may be found, by which `search_query(customer_id, text, labels)` limits them; without it, all. */
  readonly labels?: string
  /** A function of the text that is searched for: the ids of all records of the caller's office whose words match, by an index. */
  readonly found?: string
  /** Whether `found` also takes an id, or null, and a number: so many of those ids that are lower, the highest first. */
  readonly foundNewest?: true
}

/** What a column must hold: the value, or one of several. */
export interface Condition {
  readonly [column: string]: string | boolean | readonly string[]
}

export type Verb = 'read' | 'create' | 'update' | 'remove'

/** Fields that are never input. `customer_id` is among them for employees, whose office is known; a client of several offices may name one. */
type Kept<A extends Audience> = 'id' | 'created' | 'modified' | (A extends 'expert' ? 'customer_id' : never)

/** The fields that are accessible in one way. */
export type NameOf<F extends Fields, Way extends keyof Access> = {
  [Wire in keyof F & string]: F[Wire]['access'][Way] extends true ? Wire : never
}[keyof F & string]

export interface ResourceDeclaration<F extends Fields, Filter extends string, Sort extends string, A extends Audience, E extends Embedded> {
  /** The wrapper of a record, and its name in the document. */
  readonly name: string
  /** Its name in the document where another resource has the same wrapper. */
  readonly documentedAs?: string
  /** Wrappers that old callers use on input. */
  readonly alsoAccepts?: readonly string[]
  /** Below `/rest/`. */
  readonly path: string
  readonly table: string
  /** The condition on rows of the table that are records, for instance those that have not ended. Default all rows. */
  readonly where?: Condition
  /** The field with the id of a record, in paths and in SQL: `id` unless said otherwise. */
  readonly idField?: NameOf<NoInfer<F>, 'shown'>
  readonly fields: F & { readonly [Wire in Kept<A>]?: Field<unknown, ReadOnly> }
  readonly filter?: readonly Filter[]
  readonly sort?: readonly [Sort, ...Sort[]]
  /** The order of a list that names none, descending after a `-`: the first of `sort` unless said otherwise. */
  readonly defaultSort?: NoInfer<Sort | `-${Sort}`>
  /** Its lists are searched by `q`: without `sort` in the order of `defaultSort` where that is descending, otherwise by the highest id first. */
  readonly search?: Search
  /** Why no index serves one of `sort` and `filter` (`itServesListsFromIndexes` in packages/testing demands one for each of the others). */
  readonly unindexed?: Partial<Record<NoInfer<Filter | Sort>, string>>
  /** Who may, where not every employee (or, on the client address, every client) may. */
  readonly roles?: Partial<Record<Verb, readonly (A extends 'expert' ? EmployeeRole : 'client')[]>>
  /** The right that an employee needs, in addition to their role, to create, update and remove: a key of auth's rights. */
  readonly right?: string
  /** The right that an employee needs to read. */
  readonly readRight?: string
  /** The address that serves it, and so who calls: `expert` unless said otherwise. */
  readonly audience?: A
  /** The column that must hold the id of the person who asks. On the client address there must be one. */
  readonly ownedBy?: string
  readonly embedded?: E & { readonly [Wrapper in keyof E]: One<NameOf<F, 'shown'>> | Many }
  readonly embeddable?: Embeddable
  /** Lists are `{ "results": [ … ] }` instead of `[ … ]`. */
  readonly listAs?: 'results'
  /** The path of its list, below its own: `/rest/chat_widget/list`. By default it is its own. */
  readonly listAt?: string
  /**
   * The answer of a create: by default `{ "id": … }`; with names of fields, these as well; with `record`, the whole record without embedded objects. The latter
   * two need a handler `get`.
   */
  readonly createAnswers?: 'record' | readonly NameOf<NoInfer<F>, 'shown'>[]
  /** Records are shown without their wrapper. Such a resource has no objects beside its records. */
  readonly unwrapped?: true
  /** Its list can be had as CSV, whole (`Accept: text/csv`). Its handler is a read of `resourceReads`. */
  readonly csv?: true
  /** How a POST treats an `Idempotency-Key`. Default `transaction`. */
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
  Filter extends string = string,
  Sort extends string = string,
  A extends Audience = Audience,
  E extends Embedded = Embedded,
> {
  readonly name: string
  readonly documentedAs: string
  readonly alsoAccepts: readonly string[]
  readonly path: string
  readonly table: string
  readonly fields: F
  readonly columns: readonly Column[]
  /** The one with the id of a record. */
  readonly idColumn: Column
  /** The fields that a create may carry. */
  readonly create: Fields
  /** The fields that an update may carry. */
  readonly update: Fields
  readonly filter: readonly Filter[]
  readonly sort: readonly Sort[]
  readonly defaultSort: string
  readonly search: Search | undefined
  readonly unindexed: Partial<Record<Filter | Sort, string>>
  readonly roles: Readonly<Record<Verb, readonly Role[]>>
  readonly right: string | undefined
  readonly readRight: string | undefined
  readonly audience: A
  readonly ownedBy: string | undefined
  readonly embedded: E
  readonly embeddable: Embeddable
  readonly where: Condition
  readonly listAs: 'results' | undefined
  readonly listAt: string | undefined
  readonly createAnswers: 'record' | readonly string[] | undefined
  readonly unwrapped: boolean
  readonly csv: boolean
  readonly idempotency: Idempotency
}

/** Declares a resource: everything on the wire, and the plain reads, are derived from this. */
export function defineResource<
  const F extends Fields,
  const Filter extends NameOf<F, 'shown'> = never,
  const Sort extends NameOf<F, 'shown'> = never,
  const A extends Audience = 'expert',
  const E extends Embedded = Record<never, never>,
>(declaration: ResourceDeclaration<F, Filter, Sort, A, E>): Resource<F, Filter, Sort, A, E> {
  const { fields, audience = 'expert' as A, roles, idField = 'id', sort = [idField as Sort] } = declaration
  const usual = rolesOf[audience]
  const columns = columnsOf(fields)
  const idColumn = columns.find(({ wire }) => wire === idField)
  if (!idColumn) throw new Error(`${declaration.name} has no field ${idField}, by which its records are named.`)
  return {
    ...declaration,
    audience,
    documentedAs: declaration.documentedAs ?? declaration.name,
    alsoAccepts: declaration.alsoAccepts ?? [],
    columns,
    idColumn,
    create: fieldsThat('create', fields),
    update: fieldsThat('update', fields),
    filter: declaration.filter ?? [],
    sort,
    defaultSort: declaration.defaultSort ?? sort[0],
    search: declaration.search,
    unindexed: declaration.unindexed ?? {},
    roles: { read: usual, create: usual, update: usual, remove: usual, ...roles },
    right: declaration.right,
    readRight: declaration.readRight,
    ownedBy: declaration.ownedBy,
    embedded: declaration.embedded ?? ({} as E),
    embeddable: declaration.embeddable ?? {},
    where: declaration.where ?? {},
    listAs: declaration.listAs,
    listAt: declaration.listAt,
    unwrapped: declaration.unwrapped ?? false,
    csv: declaration.csv ?? false,
    createAnswers: declaration.createAnswers,
    idempotency: declaration.idempotency ?? 'transaction',
  }
}

const fieldsThat = (way: keyof Access, fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, { access }]) => access[way]))

/** Where its lists are, below `/rest/`. */
export const listPathOf = ({ path, listAt }: Pick<Resource, 'path' | 'listAt'>): string =>
  listAt === undefined ? path : `${path}/${listAt}`

/** Whether a create may name the office that it is for, in the body or in the query: a client may deal with several. */
export const isOfficeNamed = ({ audience, create }: Resource) => audience === 'client' && 'customer_id' in create

/** The fields that are shown, in the order of their declaration. */
export const columnsOf = (fields: Fields): Column[] =>
  Object.entries(fieldsThat('shown', fields)).map(([wire, field]) => ({ wire, name: camel(wire), field }))

/** The objects nested in each of `objects`, with the index of their first column: they follow the columns of the object itself. */
export function columnsWithin({ fields, nested }: Many) {
  let from = columnsOf(fields).length
  return Object.entries(nested).map(([wrapper, fields]) => {
    const within = { wrapper, name: embeddedName(wrapper), columns: columnsOf(fields), from }
    from += within.columns.length
    return within
  })
}

export type { Camel }
