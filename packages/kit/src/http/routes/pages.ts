import type { FastifyReply } from 'fastify'
import Type from 'typebox'
import { byId, type Cursor, encodeCursor, type Page } from '../../resource/index.js'
import type { Space } from './routes.js'

/** The value of `Link` (RFC 8288) that leads to the next page of a list. @param sent the query of this one */
export function linkToNext({ url }: Space, path: string, sent: object, order: string, next: Cursor): string {
  const query = new URLSearchParams({ ...sent, cursor: encodeCursor(order, next) })
  return `<${url}/rest/${path}?${query}>; rel="next"`
}

/** The parameters of an action that answers with a page of a list in the order of its ids: see `readPage` and `answerPage`. */
export const pageParameters = {
  limit: Type.Optional(Type.String({ description: 'How many at most, from 1 to 1000; 500 unless it is given.' })),
  cursor: Type.Optional(Type.String({ description: 'Where the page begins, as the header `Link` of the one before has it.' })),
}

/** Names the next page in the header `Link`. @returns the items of this one */
export function answerPage<T>(
  { reply, space, query }: { readonly reply: FastifyReply; readonly space: Space; readonly query: object },
  path: string,
  { items, next }: Page<T>,
): readonly T[] {
  if (next) reply.header('link', linkToNext(space, path, query, byId, next))
  return items
}
