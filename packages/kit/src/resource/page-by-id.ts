import type { Id } from '../caller/index.js'
import { FieldError, flagText, idText } from '../fields/index.js'
import { decodeCursor } from './cursor.js'
import { defaultLimit, pageFields } from './list-query.js'
import type { Page } from './record.js'

/** A page of a list that is no resource's, in the order of its ids. */
export interface PageById {
  /** From 1 to 1,000. */
  readonly limit: number
  /** It begins after this id; null for the first page. */
  readonly after: Id | null
  /** Whether `total` is wanted. */
  readonly count: boolean
}

/** The order of its cursors. */
export const byId = 'id'

interface Sent {
  readonly limit?: string | undefined
  readonly cursor?: string | undefined
  readonly count?: string | undefined
}

/** The page that `limit`, `cursor` and `count` of a query ask for, by default the first 500, and a text for each of them that is wrong. */
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

/** @param rows in the order of their ids, one more than `limit` where there is a next page */
export function pageOf<T>(rows: readonly T[], limit: number, idOf: (row: T) => Id): Page<T> {
  const items = rows.slice(0, limit)
  const last = rows.length > limit ? items.at(-1) : undefined
  return { items, ...(last !== undefined && { next: { value: idOf(last), id: idOf(last) } }) }
}
