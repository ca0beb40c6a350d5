import type { Id } from '../caller/index.js'
import { FieldError, flagText, idText } from '../fields/index.js'
import { decodeCursor } from './cursor.js'
import { defaultLimit, pageFields } from './list-query.js'
import type { Page } from './record.js'

/** A request for a page of a list ordered by id, for lists that do not belong to a resource. */
export interface PageById {
  /** From 1 to 1,000. */
  readonly limit: number
  /** The id after which the page begins; null for the first page. */
  readonly after: Id | null
  /** Whether `total` is wanted. */
  readonly count: boolean
}

/** The order in the cursors of these lists. */
export const byId = 'id'

interface Sent {
  readonly limit?: string | undefined
  readonly cursor?: string | undefined
  readonly count?: string | undefined
}

/** Decodes `limit`, `cursor` and `count`. @returns the page, by default the first 500, and a text for each invalid parameter */
export function readPage(sent: Sent): { page: PageById; wrong: Record<string, string> } {
  const wrong: Record<string, string> = {}
  const valid = <T>(name: string, value: T | FieldError): T | undefined => {
    if (!(value instanceof FieldError)) return value
    wrong[name] = value.text
    return undefined
  }
  const limit = sent.limit === undefined ? defaultLimit : valid('limit', pageFields.limit.decode(sent.limit, 'UTC'))
  const cursor = sent.cursor === undefined ? undefined : valid('cursor', decodeCursor(sent.cursor, byId, idText))
  const count = sent.count === undefined ? undefined : valid('count', flagText.decode(sent.count, 'UTC'))
  return { page: { limit: limit ?? defaultLimit, after: cursor?.id ?? null, count: count ?? false }, wrong }
}

/** Makes a page of rows. @param rows ordered by id, with one row more than `limit` where there is a next page */
export function pageOf<T>(rows: readonly T[], limit: number, idOf: (row: T) => Id): Page<T> {
  const items = rows.slice(0, limit)
  const last = rows.length > limit ? items.at(-1) : undefined
  return { items, ...(last !== undefined && { next: { value: idOf(last), id: idOf(last) } }) }
}
