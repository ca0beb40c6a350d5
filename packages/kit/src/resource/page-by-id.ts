import type { Id } from '../caller/index.js'
import { FieldError, type Fields, flagText, idText } from '../fields/index.js'
import { decodeCursor } from './cursor.js'
import { defaultLimit, pageFields } from './list-query.js'
import type { Page, ValuesOf } from './record.js'

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

/** The query parameters of such a list. The cursor decodes to the id after which the page begins. */
export const pageByIdFields = {
  limit: pageFields.limit,
  cursor: {
    ...idText,
    decode(sent: unknown) {
      const cursor = decodeCursor(String(sent), byId, idText)
      return cursor instanceof FieldError ? cursor : cursor.id
    },
  },
  count: flagText,
} satisfies Fields

/** The page that the decoded parameters ask for, by default the first 500 items. */
export const pageById = ({ limit = defaultLimit, cursor: after, count = false }: Partial<ValuesOf<typeof pageByIdFields>>): PageById => ({
  limit,
  after: after ?? null,
  count,
})

/** Makes a page of rows. @param rows ordered by id, with one row more than `limit` where there is a next page */
export function pageOf<T>(rows: readonly T[], limit: number, idOf: (row: T) => Id): Page<T> {
  const items = rows.slice(0, limit)
  const last = rows.length > limit ? items.at(-1) : undefined
  return { items, ...(last !== undefined && { next: { value: idOf(last), id: idOf(last) } }) }
}
