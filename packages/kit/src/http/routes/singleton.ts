import type { CallerOf, RecordOf, Resource } from '../../resource/index.js'
import { recordSchema, resourceSchemas } from '../documents/resource-schemas.js'
import type { Routes } from './routes.js'
import { recordAnswer } from './verbs.js'

interface Singleton {
  /** Below the path of the resource, which it is when this is empty. */
  readonly path: string
  readonly operationId: string
}

/**
 * A GET of the one record that is the caller's, without an id (AIP-156), with entity tag and 304 like every record. A record that is not stored
 * has the version 0, and no entity tag.
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
