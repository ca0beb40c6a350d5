import { databaseUrlVariable, grpcAddressVariable, serviceNames } from '@caseway/registry'
import { eventually, httpClient } from '@caseway/testing'
import { type StandaloneService, standaloneService } from '@caseway/testing/standalone-service'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { definitions } from '../deploy/caseway/src/definitions.js'
import { type PostgresProxy, postgresProxy } from '../packages/kit/test/support/postgres-proxy.js'

type Copy = StandaloneService['service']
type AnyService = Parameters<typeof standaloneService<unknown>>[0]

/** Nothing answers at the addresses of other services. */
const others = {
  JWKS_URL: 'http://127.0.0.1:1/jwks.json',
  ...Object.fromEntries(serviceNames.map((name) => [grpcAddressVariable(name), '127.0.0.1:1'])),
}

/** A copy of each service, started while its database is unreachable. */
let copies: { name: string; running: StandaloneService; proxy: PostgresProxy; copy: Copy }[]

beforeAll(async () => {
  copies = await Promise.all(
    (definitions as readonly AnyService[]).map(async (definition) => {
      const running = await standaloneService(definition, { variables: others })
      const proxy = await postgresProxy(running.database.url)
      proxy.away(true)
      const copy = await running.copy({ [databaseUrlVariable(definition.name)]: proxy.url })
      return { name: definition.name, running, proxy, copy }
    }),
  )
}, 120_000)
afterAll(async () => {
  for (const { running, proxy } of copies) {
    await running.stop()
    proxy.stop()
  }
})

describe('a service that starts without its database', () => {
  it.each(definitions.map(({ name }) => name))('%s answers, and recovers when the database is back', async (service) => {
    const { proxy, copy } = copies.find(({ name }) => name === service) as (typeof copies)[number]
    const http = httpClient(copy.httpUrl)
    expect((await http.get('/healthz')).status).toBe(200)
    expect((await http.get('/readyz')).status).toBe(200)
    if (service === 'auth') expect((await http.get('/.well-known/jwks.json')).status).toBe(503)
    proxy.away(false)
    if (service === 'auth') {
      await eventually(async () => expect((await http.get('/.well-known/jwks.json')).status).toBe(200))
      const signedIn = await http.post('/expert/rest/token', { grant_type: 'password', client_id: 'none', username: 'a', password: 'b' })
      expect(signedIn.status).toBe(401)
    }
  })
})
