import { describe, expect, it } from '@jest/globals'
import fastify from 'fastify'
import { sharedSerializers } from './shared-serializers.js'

const route = { method: 'GET', url: '/', httpStatus: '200' }
const named = (name: string) => ({ type: 'object', properties: { [name]: { type: 'string' } } })

describe('serializers', () => {
  it('are shared by all routes with the same schema object', () => {
    const factory = sharedSerializers()
    const schema = named('a')

    expect(factory({}, {})({ ...route, schema })).toBe(factory({}, {})({ ...route, url: '/b', schema }))
  })

  it('are different for different schemas', () => {
    const compile = sharedSerializers()({}, {})

    expect(compile({ ...route, schema: named('a') })({ a: '1', b: '2' })).toBe('{"a":"1"}')
    expect(compile({ ...route, schema: named('b') })({ a: '1', b: '2' })).toBe('{"b":"2"}')
  })

  it('resolve references in the scope of the route', async () => {
    const app = fastify({ schemaController: { compilersFactory: { buildSerializer: sharedSerializers() } } })
    for (const name of ['a', 'b']) {
      app.register(async (scope) => {
        scope.addSchema({ $id: 'Record', ...named(name) })
        scope.get(`/${name}`, { schema: { response: { 200: { $ref: 'Record#' } } } }, async () => ({ a: '1', b: '2' }))
      })
    }

    expect((await app.inject('/a')).body).toBe('{"a":"1"}')
    expect((await app.inject('/b')).body).toBe('{"b":"2"}')
    await app.close()
  })
})
