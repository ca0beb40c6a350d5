import type { RouteShorthandOptions } from 'fastify'
import type { Role } from '../../caller/index.js'
import { listPathOf, type Resource, type ResourceHandlers } from '../../resource/index.js'
import { recordSchema, resourceSchemas } from '../documents/resource-schemas.js'
import type { Routes } from './routes.js'
import { changeVerb, createVerb, getVerb, listVerb, removeVerb, type Served } from './verbs.js'

/**
 * The routes of a resource: one for each handler that is given. Validation, wire types, time zones, roles, entity tags and the documentation are derived from
 * the declaration.
 */
export const resourceRoutes =
  <R extends Resource>(resource: R, handlers: ResourceHandlers<R>): Routes =>
  (app) => {
    const { name, path, roles, right, readRight, audience, idempotency } = resource
    const { space } = app
    if (space.audience !== audience) throw new Error(`${name} is declared for the ${audience} address, not for the ${space.audience} one.`)
    const served = { resource, handlers, space } as Served<R>
    const schemas = resourceSchemas(resource)
    const route = (verb: keyof typeof schemas, roles: readonly Role[], right?: string): RouteShorthandOptions => ({
      schema: schemas[verb],
      // The schemas are for the documentation only. The verbs validate, because they report all errors at once and in words.
      validatorCompiler: () => () => true,
      config: { roles, right, idempotency },
    })
    app.addSchema(recordSchema(resource))
    if (handlers.list) app.get(`/${listPathOf(resource)}`, route('list', roles.read, readRight), listVerb(served))
    if (handlers.get) app.get(`/${path}/:id`, route('get', roles.read, readRight), getVerb(served))
    if (handlers.create) app.post(`/${path}`, route('create', roles.create, right), createVerb(served))
    if (handlers.change) app.put(`/${path}/:id`, route('change', roles.update, right), changeVerb(served))
    if (handlers.remove) app.delete(`/${path}/:id`, route('remove', roles.remove, right), removeVerb(served))
  }
