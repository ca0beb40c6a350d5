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
 * GET of a singleton: the one record of the caller, without an id (AIP-156), with entity tag and 304 as for any record. A record of version 0 is not stored
 * (it is what the first one would be), and has no entity tag.
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
