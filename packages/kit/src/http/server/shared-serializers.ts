import SerializerSelector, { type Serializer, type SerializerFactory } from '@fastify/fast-json-stringify-compiler'

/**
 * Fastify's serializers of answers, one for each schema object. Nearly all answers of a service are the errors that every route has, and
 * Fastify builds a serializer for each route and status: a thousand at the start of a service, of which 70 differ.
 *
 * So a schema object must mean the same wherever it stands: what it refers to (`{ $ref: 'Error#' }`) is looked up where it is first used.
 */
export function sharedSerializers(): SerializerFactory {
  const build = SerializerSelector()
  const known = new WeakMap<object, Serializer>()
  return (schemas, options) => {
    const compile = build(schemas, options)
    return (route) => {
      const schema = route.schema as object
      const serializer = known.get(schema) ?? compile(route)
      known.set(schema, serializer)
      return serializer
    }
  }
}
