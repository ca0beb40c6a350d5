import { createHttpApp } from '@caseway/kit/http'
import { createLog, createMetrics } from '@caseway/kit/observability'
import { createTokenVerifier, KeySet } from '@caseway/kit/tokens'
import { callersOf, grpcAddressVariable, serviceNames, services, variableOf } from '@caseway/registry'
import { describe, expect, it } from '@jest/globals'
import { definitions } from '../src/definitions.js'

const nowhere = 'postgresql://nobody@127.0.0.1:1/nothing'
const secret = Buffer.alloc(32).toString('base64')

it('the registry and the definitions name the same services, in the same order', () => {
  expect(definitions.map(({ name }) => name)).toEqual(serviceNames)
})

it('a service accepts calls of those that declare it, of the gateway and of the command line', () => {
  expect(callersOf('auth')).toEqual([
    'cases-and-counters',
    'files',
    'company-card',
    'polls-and-widgets',
    'partner',
    'mail',
    'gateway',
    'caseway',
  ])
  expect(callersOf('cases-and-counters')).toEqual(['files', 'partner', 'mail', 'gateway', 'caseway'])
  expect(callersOf('files')).toEqual(['cases-and-counters', 'company-card', 'partner', 'mail', 'gateway', 'caseway'])
})

describe.each(services)('the entry of $name', ({ name, prefixes, public: open = [], grpc, asks, secrets, streamPath }) => {
  const definition = definitions.find((definition) => definition.name === name)
  const env = {
    [variableOf(name, 'DATABASE_URL')]: nowhere,
    TOKEN_ISSUER: 'nobody',
    ...Object.fromEntries(secrets.map((variable) => [variableOf(name, variable), secret])),
  }

  it('has the prefixes of its routes, and no others', async () => {
    const opened = await definition?.open(env)
    if (!opened) throw new Error('It has no definition.')
    const app = createHttpApp({
      ...{ name, log: createLog({ service: name, level: 'silent' }), metrics: createMetrics(name), urls: { expert: '', client: '' } },
      verifier: createTokenVerifier({ keys: new KeySet(), issuer: '' }),
      timeZones: { of: async () => 'UTC' },
      idempotency: { once: (_request, produce) => produce() },
      hasRight: async () => true,
      routes: opened.routes,
    })
    const paths: string[] = []
    app.addHook('onRoute', ({ url }) => void paths.push(url))
    await app.ready()
    await app.close()
    await opened.close()
    const found = (audience: string) =>
      [...new Set(paths.flatMap((path) => new RegExp(`^/${audience}/rest/([^/]+)`).exec(path)?.[1] ?? []))].sort()
    expect({ expert: found('expert'), client: found('client') }).toEqual({
      expert: [...prefixes.expert].sort(),
      client: [...prefixes.client].sort(),
    })
    const besideRest = paths.flatMap((path) => /^\/client\/(?!rest\/|openapi\.json$)([^/]+)/.exec(path)?.[1] ?? [])
    expect([...new Set(besideRest)].sort()).toEqual([...open].sort())
    expect(streamPath === undefined || paths.includes(`/expert${streamPath}`)).toBe(true)
    expect(opened.grpc !== undefined).toBe(grpc)
  })

  it('names the services whose addresses it is configured with', () => {
    const configured = serviceNames.filter((other) => definition?.config.table().includes(`\`${grpcAddressVariable(other)}\``))
    expect(configured).toEqual(asks)
  })
})
