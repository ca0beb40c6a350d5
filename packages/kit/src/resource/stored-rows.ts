import type { Id } from '../caller/index.js'
import type { CallerOf, ListQuery, Page } from './record.js'
import type { Resource } from './resource.js'

/**
 * A row as PostgreSQL writes it, timestamps in UTC: the texts of the resource's columns in their order, then of its version, and then for each wrapper
 * of `embedded` the objects beside the record, as a JSON array of the texts of each.
 */
export type StoredRow = readonly (string | null)[]

/** Objects beside rows, by their wrapper, and then by the text in the row by which they are put beside it. */
export type StoredBeside = ReadonlyMap<string, ReadonlyMap<string, readonly StoredRow[]>>

/** A page, with the objects that `embed` names. */
export interface StoredPage extends Page<StoredRow> {
  readonly beside?: StoredBeside
}

export type StoredList<R extends Resource> = (caller: CallerOf<R>, query: ListQuery<R>) => Promise<StoredPage>
type StoredRecord<R extends Resource> = (caller: CallerOf<R>, id: Id) => Promise<StoredRow>

const stored = Symbol('stored')

/**
 * Attaches to `read` a twin that returns stored rows instead of records. Where a handler `list` or `get` of a resource is such a read of `resourceReads` itself
 * (`{ ...tags }`), no rule looks at its rows, and the routes call the twin: PostgreSQL's texts go to the answer without becoming records. All other callers
 * of the read get records, and so do the routes where a service has a `list` or `get` of its own.
 */
export const withStoredRows = <Read extends object>(read: Read, twin: unknown): Read => Object.assign(read, { [stored]: twin })

const twinOf = (read: object | undefined): unknown => (read as { [stored]?: unknown } | undefined)?.[stored]

/** The twin of a handler that is such a read. */
export const storedList = <R extends Resource>(read: object | undefined) => twinOf(read) as StoredList<R> | undefined
export const storedRecord = <R extends Resource>(read: object | undefined) => twinOf(read) as StoredRecord<R> | undefined

/** A read of objects beside records, with the expression of those of one record in its stored row. */
export const withStoredObjects = <Read extends object>(read: Read, expression: unknown): Read =>
  Object.assign(read, { [stored]: expression })
export const storedObjects = <Expression>(read: object | undefined) => twinOf(read) as Expression | undefined
