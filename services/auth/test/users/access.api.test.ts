import { randomUUID } from 'node:crypto'
import { type HttpClient, randomId } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Auth, type Office, startAuthService } from '../support/auth.js'

let auth: Auth
let office: Office
let stranger: HttpClient
const http = {} as Record<'administrator' | 'expert' | 'specialist' | 'trainee', HttpClient>
const ids: Record<string, string> = {}
beforeAll(async () => {
  auth = await startAuthService()
  office = await auth.office()
  for (const role of ['administrator', 'expert', 'specialist', 'trainee'] as const) http[role] = await auth.asExpert(office[role])
  stranger = await auth.asExpert((await auth.office()).administrator)
  const client = await auth.client(office)
  const links = await http.administrator.get<{ results: { CustomerUserLink: { id: string } }[] }>('/customer_user_link/client')
  const role = await http.administrator.post<{ id: number }>('/user_role', { UserRole: { name: 'Guest' } })
  Object.assign(ids, { user: office.trainee.id, client: client.id, user_role: role.body.id })
  const group = await http.administrator.post<{ id: number }>('/group', { Group: { name: 'Accounts' } })
  const member = { UserGroup: { user_id: String(office.trainee.id), group_id: group.body.id } }
  bodies['group/user_group'] = () => member
  const membership = await http.administrator.post<{ id: number }>('/group/user_group', member)
  Object.assign(ids, { group: group.body.id, 'group/user_group': membership.body.id })
  ids['customer_user_link/client'] = links.body.results[0]?.CustomerUserLink.id as string
})
afterAll(() => auth.stop())

const email = () => `${randomUUID()}@office.test`
const names = { firstname: 'Eva', lastname: 'Lis' }
const bodies: Record<string, () => object> = {
  user: () => ({ User: { email: email(), ...names } }),
  user_role: () => ({ UserRole: { name: 'Guest' } }),
  group: () => ({ Group: { name: 'Accounts' } }),
  'customer/me': () => ({ Customer: {} }),
  client: () => ({ Client: { email: email(), ...names } }),
  'customer_user_link/client': () => ({ CustomerUserLink: { email: email() } }),
}
const bodyOf = (method: string, resource: string) => (method === 'POST' || method === 'PUT' ? bodies[resource]?.() : undefined)

const everybody = ['administrator', 'expert', 'specialist', 'trainee']
const experts = ['administrator', 'expert']
const cells: [method: string, resource: string, path: string, allowed: string[]][] = [
  ['GET', 'user', '/user', everybody],
  ['GET', 'user', '/user/{id}', everybody],
  ['POST', 'user', '/user', experts],
  ['PUT', 'user', '/user/{id}', experts],
  ['DELETE', 'user', '/user/{id}', experts],
  ['GET', 'user', '/user/{id}/permission', everybody],
  ['PUT', 'user', '/user/{id}/permission', experts],
  ['GET', 'user_role', '/user_role', everybody],
  ['GET', 'user_role', '/user_role/{id}', everybody],
  ['POST', 'user_role', '/user_role', experts],
  ['PUT', 'user_role', '/user_role/{id}', experts],
  ['DELETE', 'user_role', '/user_role/{id}', experts],
  ['GET', 'user_role', '/user_role/{id}/permission', everybody],
  ['PUT', 'user_role', '/user_role/{id}/permission', experts],
  ['GET', 'group', '/group', everybody],
  ['GET', 'group', '/group/{id}', everybody],
  ['POST', 'group', '/group', experts],
  ['PUT', 'group', '/group/{id}', experts],
  ['DELETE', 'group', '/group/{id}', experts],
  ['GET', 'group/user_group', '/group/user_group', everybody],
  ['GET', 'group/user_group', '/group/user_group/{id}', everybody],
  ['POST', 'group/user_group', '/group/user_group', experts],
  ['GET', 'customer/me', '/customer/me', everybody],
  ['PUT', 'customer/me', '/customer/me', ['administrator']],
  ['GET', 'client', '/client', everybody],
  ['GET', 'client', '/client/{id}', everybody],
  ['POST', 'client', '/client', everybody],
  ['PUT', 'client', '/client/{id}', everybody],
  ['DELETE', 'client', '/client/{id}', everybody],
  ['GET', 'customer_user_link/client', '/customer_user_link/client', ['administrator']],
  ['GET', 'customer_user_link/client', '/customer_user_link/client/{id}', ['administrator']],
  ['POST', 'customer_user_link/client', '/customer_user_link/client', ['administrator', 'expert']],
  ['DELETE', 'customer_user_link/client', '/customer_user_link/client/{id}', ['administrator', 'expert']],
]

describe('access by role', () => {
  it.each(cells)('%s %s: %s', async (method, resource, path, allowed) => {
    for (const [role, caller] of Object.entries(http)) {
      // With an id of no record: an allowed role gets 404, any other one gets 403 and learns nothing.
      const { status, body } = await caller.request(method, path.replace('{id}', String(randomId())), bodyOf(method, resource))
      const wanted = !allowed.includes(role) ? 403 : path.includes('{id}') ? 404 : method === 'POST' ? 201 : 200
      const sent = path.endsWith('permission') && method === 'PUT' && wanted !== 403 ? 400 : wanted
      expect([role, status]).toEqual([role, sent])
      if (status === 403) expect(body).toEqual({ status: 'error', errorCode: 'FORBIDDEN', errorMessages: expect.any(String) })
    }
  })

  it.each(cells)('%s %s: refused without a token, for technical applications and for clients', async (method, resource, path) => {
    const sent = bodyOf(method, resource)
    const own = path.replace('{id}', String(ids[resource]))
    const nobody = await stranger.as(undefined).request(method, own, sent)
    expect([nobody.status, nobody.headers.get('www-authenticate')]).toEqual([401, expect.stringMatching(/^Bearer realm="[^"]*"$/)])
    const clientId = randomUUID()
    const { secret } = await auth.service.administration.createApplication(clientId, 'technical', 'Platform')
    const { body } = await auth.token({ grant_type: 'client_credentials', client_id: clientId, client_secret: secret })
    expect((await stranger.as(body.access_token).request(method, own, sent)).status).toBe(403)
    const client = await auth.asClient(await auth.client(office))
    const shared = path.startsWith('/customer_user_link')
    if (!shared) expect((await client.request(method, own, sent)).status).toBe(404)
  })
})

describe('a record of another office', () => {
  const withId = cells.filter(([method, , path]) => path.includes('{id}') && !(method === 'PUT' && path.includes('customer_user_link')))
  it.each(withId)('gets the same 404 as an id of no record: %s %s %s', async (method, resource, path) => {
    const sent = path.endsWith('permission') && method === 'PUT' ? [] : bodyOf(method, resource)
    const ask = (id: unknown) => stranger.request(method, path.replace('{id}', String(id)), sent)
    const foreign = await ask(ids[resource])
    expect(foreign.status).toBe(404)
    for (const id of [randomId(), 'abc', '0', '-1', '1e3', '99999999999999999999']) {
      const { status, text } = await ask(id)
      expect([id, status, text]).toEqual([id, 404, foreign.text])
    }
    const own = await http.administrator.get(`/${resource}/${ids[resource]}`)
    expect(own.status).toBe(200)
  })

  it('is in no list', async () => {
    for (const resource of Object.keys(bodies)) {
      const { status, text } = await stranger.get(`/${resource}`)
      expect([status, text.includes(`"customer_id":"${office.customerId}"`)]).toEqual([200, false])
    }
  })
})
