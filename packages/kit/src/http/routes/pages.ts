import type { FastifyReply } from 'fastify'
import { byId, type Cursor, encodeCursor, type Page, pageByIdFields } from '../../resource/index.js'
import { parameter } from '../bodies/parameter.js'
import type { Space } from './routes.js'

/** The value of the header `Link` (RFC 8288) for the next page of a list. @param sent the query of the present page */
export function linkToNext({ url }: Space, path: string, sent: object, order: string, next: Cursor): string {
  const query = new URLSearchParams({ ...sent, cursor: encodeCursor(order, next) })
  return `<${url}/rest/${path}?${query}>; rel="next"`
}

/** The query parameters of an action that answers with a page of a list ordered by id; see `pageByIdFields`, `pageById` and `answerPage`. */
export const pageParameters = {
  limit: parameter(pageByIdFields.limit, 'Maximum number of items, from 1 to 1000; 500 by default.'),
  cursor: parameter(pageByIdFields.cursor, 'Start of the page, taken from the header `Link` of the previous page.'),
  count: parameter(pageByIdFields.count, '1: the header `X-Total-Count` contains the total number of items.'),
}

/** Sets the header `Link` of the next page, and `X-Total-Count` where the total was asked for. @returns the items of the page */
export function answerPage<T>(
  { reply, space, query }: { readonly reply: FastifyReply; readonly space: Space; readonly query: object },
  path: string,
  { items, next, total }: Page<T>,
): readonly T[] {
  if (next) reply.header('link', linkToNext(space, path, query, byId, next))
  if (total !== undefined) reply.header('x-total-count', total)
  return items
}
