import type { FastifyRequest } from 'fastify'
import { type Id, parseId } from '../../caller/index.js'
import { notFound } from '../../errors/index.js'

/**
 * The id in the path of a request.
 * @throws AppError `not-found` where it is malformed, the same as for an unknown id
 */
export function idParam({ params }: Pick<FastifyRequest, 'params'>): Id {
  const id = parseId((params as { id: string }).id)
  if (id === undefined) throw notFound()
  return id
}
