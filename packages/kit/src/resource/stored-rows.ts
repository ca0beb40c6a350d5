import type { Id } from '../caller/index.js'
import type { CallerOf, ListQuery, Page } from './record.js'
import type { Resource } from './resource.js'

/**
 * A row in PostgreSQL's text format, timestamps in UTC: the resource's columns in their order, its version, and for each wrapper of `embedded` the objects, as
 * a JSON array with an array of texts for each.
 */
export type StoredRow = readonly (string | null)[]

/** The objects that are embedded on request, by their wrapper, and then by the text in the column `embeddedKeyIndex` of their row. */
export type StoredEmbedded = ReadonlyMap<string, ReadonlyMap<string, readonly StoredRow[]>>

/** A page of stored rows, with the objects that `embed` names. */
export interface StoredPage extends Page<StoredRow> {
  readonly embeddable?: StoredEmbedded
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

/** The twin that `withStoredRows` has attached to a handler `list`; undefined where it has none. */
export const storedList = <R extends Resource>(read: object | undefined) => twinOf(read) as StoredList<R> | undefined
/** The same for a handler `get`. */
export const storedRecord = <R extends Resource>(read: object | undefined) => twinOf(read) as StoredRecord<R> | undefined

/** Attaches to a read of embedded objects the SQL expression that gives those of one record for its stored row. */
export const withStoredObjects = <Read extends object>(read: Read, expression: unknown): Read =>
  Object.assign(read, { [stored]: expression })
/** The expression that `withStoredObjects` has attached to a read; undefined where it has none. */
export const storedObjects = <Expression>(read: object | undefined) => twinOf(read) as Expression | undefined
