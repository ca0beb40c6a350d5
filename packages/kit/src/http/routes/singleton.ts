import type { CallerOf, RecordOf, Resource } from '../../resource/index.js'
import { recordSchema, resourceSchemas } from '../documents/resource-schemas.js'
import type { Routes } from './routes.js'
import { recordAnswer } from './verbs.js'

interface Singleton {
  /** Below the path of the resource; '' is that path itself. */
  readonly path: string
  readonly operationId: string
}

/**
 * GET of a singleton (AIP-156): the one record of the caller, without an id in the path. Entity tags and 304 are those of any record. A record of version 0
 * holds defaults and is not stored; it has no entity tag.
 */
export const singletonRoute =
  <R extends Resource>(resource: R, { path, operationId }: Singleton, get: (caller: CallerOf<R>) => Promise<RecordOf<R>>): Routes =>
  (app) => {
    const { params: _, ...schema } = resourceSchemas(resource).get
    const answer = recordAnswer(resource, app.space)
    app.addSchema(recordSchema(resource))
    app.get(
      `/${resource.path}${path && `/${path}`}`,
      { schema: { ...schema, operationId }, config: { roles: resource.roles.read } },
      async (request, reply) => answer(request, reply, await get(request.caller as CallerOf<R>)),
    )
  }
