import { type Audience, type EmployeeRole, type Role, rolesOf } from '../caller/index.js'
import type { Access, Field, Fields, ReadOnly } from '../fields/index.js'
import type { Idempotency } from '../idempotency/index.js'
import type { Embeddable, Embedded, Many, One, Only } from './embedded.js'
import { type Camel, camel, embeddedName } from './naming.js'

/** The index of the column by which embedded objects are joined: the one with their id (`one`), or with the record's id (`many`, `only`). */
export const embeddedKeyIndex = ({ columns, idColumn }: Pick<Resource, 'columns' | 'idColumn'>, objects: One | Many | Only): number =>
  columns.findIndex(({ wire }) => wire === ('by' in objects ? objects.by : idColumn.wire))

/**
 * The full-text index for the parameter `q` of a list: a table with a row for each record and a column `document` (tsvector). The service defines the SQL
 * functions `search_query` and `found` in its migrations.
 */
export interface Search {
  readonly table: string
  /** The column of that table with the id of the record. */
  readonly of: string
  /** The weight labels of the words to search, an argument of `search_query(customer_id, text, labels)`. Default all. */
  readonly labels?: string
  /** The SQL function that returns the ids of all records of the caller's office that match a text, by an index. */
  readonly found?: string
  /** Whether `found` also takes an id (or null) and a limit, and then returns the highest matching ids below that id, in descending order. */
  readonly foundNewest?: true
}

/** A condition on rows: each column must have the value, or one of several. */
export interface Condition {
  readonly [column: string]: string | boolean | readonly string[]
}

export type Verb = 'read' | 'create' | 'update' | 'remove'

/** Fields that are never input. `customer_id` is among them for employees, whose office is known; a client of several offices may name one. */
type Kept<A extends Audience> = 'id' | 'created' | 'modified' | (A extends 'expert' ? 'customer_id' : never)

/** The names of the fields whose `access` allows `Way`. */
export type NameOf<F extends Fields, Way extends keyof Access> = {
  [Wire in keyof F & string]: F[Wire]['access'][Way] extends true ? Wire : never
}[keyof F & string]

export interface ResourceDeclaration<F extends Fields, Filter extends string, Sort extends string, A extends Audience, E extends Embedded> {
  /** The wrapper of a record, and its name in the documentation. */
  readonly name: string
  /** Its name in the documentation, where another resource has the same wrapper. */
  readonly documentedAs?: string
  /** Old names of the wrapper that are still accepted in bodies. */
  readonly alsoAccepts?: readonly string[]
  /** The path below `/rest/`. */
  readonly path: string
  readonly table: string
  /** Which rows of the table are records, for instance those that have not ended. Default all rows. */
  readonly where?: Condition
  /** The field with the id of a record, in paths and in SQL. Default `id`. */
  readonly idField?: NameOf<NoInfer<F>, 'shown'>
  readonly fields: F & { readonly [Wire in Kept<A>]?: Field<unknown, ReadOnly> }
  readonly filter?: readonly Filter[]
  readonly sort?: readonly [Sort, ...Sort[]]
  /** The order of a list without the parameter `sort`; `-` means descending. Default the first of `sort`. */
  readonly defaultSort?: NoInfer<Sort | `-${Sort}`>
  /** Adds the parameter `q` to the list. For the order see `orderOf`. */
  readonly search?: Search
  /** For fields of `sort` and `filter` without an index, the reason why. The test `itServesListsFromIndexes` demands an index for all others. */
  readonly unindexed?: Partial<Record<NoInfer<Filter | Sort>, string>>
  /** The roles that may use a verb. Default every employee, or on the client address every client. */
  readonly roles?: Partial<Record<Verb, readonly (A extends 'expert' ? EmployeeRole : 'client')[]>>
  /** The right that an employee needs, in addition to their role, to create, update and remove: a key of auth's rights. */
  readonly right?: string
  /** The right that an employee needs to read. */
  readonly readRight?: string
  /** The address that serves it, which determines the callers. Default `expert`. */
  readonly audience?: A
  /** The column that must hold the id of the caller: others do not see the record. Required on the client address. */
  readonly ownedBy?: string
  readonly embedded?: E & { readonly [Wrapper in keyof E]: One<NameOf<F, 'shown'>> | Many }
  readonly embeddable?: Embeddable
  /** Lists are `{ "results": [ … ] }` instead of `[ … ]`. */
  readonly listAs?: 'results'
  /** The path of the list below `path`, such as `list` for `/rest/chat_widget/list`. Default `path` itself. */
  readonly listAt?: string
  /**
   * The answer of a create: by default `{ "id": … }`; with names of fields, these as well; with `record`, the whole record without embedded objects. Names of
   * fields and `record` need a handler `get`.
   */
  readonly createAnswers?: 'record' | readonly NameOf<NoInfer<F>, 'shown'>[]
  /** Records are shown without a wrapper. Such a resource cannot embed objects. */
  readonly unwrapped?: true
  /** Its whole list can be exported as CSV (`Accept: text/csv`). The handler `list` must be a read of `resourceReads`. */
  readonly csv?: true
  /** How a POST treats an `Idempotency-Key`. Default `transaction`. */
  readonly idempotency?: Idempotency
}

/** A field with a column: `wire` is its name on the wire and in SQL, `name` its camelCase. */
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
  /** The column with the id of a record. */
  readonly idColumn: Column
  /** The fields that a create may contain. */
  readonly create: Fields
  /** The fields that an update may contain. */
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

/** Declares a resource. Its wire format, validation, documentation and plain reads are derived from this. @throws Error where `idField` is not a field */
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

/** The path of the list, below `/rest/`. */
export const listPathOf = ({ path, listAt }: Pick<Resource, 'path' | 'listAt'>): string =>
  listAt === undefined ? path : `${path}/${listAt}`

/** Whether a create may name its office, in the body or in the query, because a client may be linked with several. */
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
