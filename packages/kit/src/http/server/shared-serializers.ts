import SerializerSelector, { type Serializer, type SerializerFactory } from '@fastify/fast-json-stringify-compiler'

/**
 * Builds the serializers of responses, for the option `schemaController.compilersFactory.buildSerializer` of Fastify: one for each schema
 * object. By default Fastify builds one for each route and status: about a thousand in a service, although most of them are for the
 * errors that all routes have in common.
 *
 * References (`{ $ref: 'Error#' }`) are resolved in the scope that uses a schema object first, so an object must not be used in two scopes in which its
 * references differ.
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
