import { registry } from '@caseway/registry'
import { type HttpClient, httpClient } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Demo } from '../deploy/local/src/demo/demo-file.js'
import { rowsOf } from './support/databases.js'
import { signIn, signInAs } from './support/people.js'
import { type Launcher, launch, temporaryHome } from './support/platform.js'

interface Operation {
  parameters?: { in: string; name: string }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}
interface Schema {
  required?: string[]
  properties?: Record<string, Schema>
}
interface OpenApi {
  paths: Record<string, Record<string, Operation>>
}

const { home, remove } = temporaryHome()
let launcher: Launcher
let demo: Demo
let ours: HttpClient
let theirs: HttpClient
let theirIds: Record<string, string>

beforeAll(async () => {
  launcher = launch(home)
  demo = await launcher.ready()
  ours = (await signInAs(demo, 'administrator', 0)).api
  theirs = (await signInAs(demo, 'administrator', 1)).api
  theirIds = await somethingOfEach(theirs)
})
afterAll(async () => {
  await launcher?.stop()
  remove()
})

const nobodys = '9007199254740991'

/** A record of each resource of the other office, by its path. */
async function somethingOfEach(api: HttpClient): Promise<Record<string, string>> {
  const made = async (path: string, body: object) => String((await api.post<{ id: number }>(path, body)).body.id)
  const first = async (path: string, wrapper: string) => {
    const { body } = await api.get<{ results?: unknown[] } | unknown[]>(path)
    const [record] = (Array.isArray(body) ? body : (body.results ?? [])) as Record<string, { id: string }>[]
    return record?.[wrapper]?.id ?? ''
  }
  // Somebody is refused there, and so the trail has a row of theirs.
  expect((await (await signInAs(demo, 'trainee', 1)).api.get('/audit_event')).status).toBe(403)
  // A colleague gives them a case, and so they are notified.
  const [ours, colleague] = [demo.offices[1]?.accounts.administrator, await signInAs(demo, 'expert', 1)]
  await colleague.api.post('/issue', { Issue: { subject: 'Theirs', user_id: ours?.user_id } })
  const trainee = demo.offices[1]?.accounts.trainee.user_id
  const group = await made('/group', { Group: { name: 'Theirs' } })
  const client = demo.clients.find(({ customer_ids }) => customer_ids.includes(demo.offices[1]?.customer_id ?? ''))
  const offer = { issue_id: await made('/issue', { Issue: { subject: 'Theirs', user_client_id: client?.user_id } }), amount: '1.00' }
  const known: Record<string, string> = {
    '/rest/notification': await first('/notification', 'Notification'),
    '/rest/audit_event': await first('/audit_event', 'AuditEvent'),
    '/rest/tag': await made('/tag', { Tag: { name: 'Theirs' } }),
    '/rest/issue': await made('/issue', { Issue: { subject: 'Theirs' } }),
    '/rest/issue_payment_offer': await made('/issue_payment_offer', { IssuePaymentOffer: offer }),
    '/rest/work_time': await made('/work_time/start', { WorkTime: {} }),
    '/rest/user_role': await made('/user_role', { UserRole: { name: 'Theirs' } }),
    '/rest/group': group,
    '/rest/group/user_group': await made('/group/user_group', { UserGroup: { user_id: trainee, group_id: group } }),
    '/rest/user': trainee ?? '',
    '/rest/customer_user_link/client': await first('/customer_user_link/client', 'CustomerUserLink'),
    '/rest/client': await made('/client', { Client: { email: 'theirs@client.example', firstname: 'A', lastname: 'B' } }),
  }
  const sentence = { issue_id: known['/rest/issue'], body: 'Theirs' }
  known['/rest/issue_sentence'] = await made('/issue_sentence', { IssueSentence: sentence })
  known['/rest/comment'] = await made('/comment', { Comment: sentence })
  known['/rest/issue_subject'] = await made('/issue_subject', { IssueSubject: { name: 'Theirs' } })
  const labelled = { issue_subject_id: known['/rest/issue_subject'], label: 'Theirs' }
  known['/rest/issue_subject_label'] = await made('/issue_subject_label', { IssueSubjectLabel: labelled })
  known['/rest/provider'] = await made('/provider', { Provider: { name: 'Theirs' } })
  const person = { provider_id: known['/rest/provider'], first_name: 'A', last_name: 'B', email: 'theirs@provider.example' }
  const { body } = await api.post<{ ProviderPerson: { id: string } }>('/provider_person', { ProviderPerson: person })
  known['/rest/provider_person'] = body.ProviderPerson.id
  const tagged = { issue_id: known['/rest/issue'], tag_id: known['/rest/tag'] }
  known['/rest/issue_tag'] = await made('/issue_tag', { IssueTag: tagged })
  const all = await operations()
  for (const { method, path, operation } of all) {
    const hasRecords = method === 'POST' && all.some((other) => other.path === `${path}/{id}`)
    if (hasRecords && known[path] === undefined) known[path] = await made(path.replace('/rest', ''), requiredOf(operation))
  }
  return known
}

async function operations(): Promise<{ method: string; path: string; operation: Operation }[]> {
  const { body } = await ours.get<OpenApi>('/openapi.json')
  return Object.entries(body.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
}

const bodyOf = ({ requestBody }: Operation) => {
  const schema = requestBody?.content['application/json']?.schema
  const [wrapper] = Object.keys(schema?.properties ?? {})
  return schema ? (wrapper ? { [wrapper]: {} } : []) : undefined
}

/** The body of a create with the fields that it must have, for resources whose fields are texts. */
function requiredOf({ requestBody }: Operation) {
  const wrappers = Object.entries(requestBody?.content['application/json']?.schema.properties ?? {})
  return Object.fromEntries(
    wrappers.map(([wrapper, { required = [] }]) => [wrapper, Object.fromEntries(required.map((field) => [field, 'Theirs']))]),
  )
}

/** Answers with what is the caller's, whatever the id. */
const ofCaller = ['/rest/report/{id}']

/** What changes although nobody of the office does anything. */
const changing = ['counter_checks', 'feed_entries']

/** Everything that the two services keep of an office. */
async function everythingOf(customerId: string): Promise<string> {
  const kept: unknown[] = []
  for (const service of ['auth', registry.casesAndCounters.name]) {
    const tables = await rowsOf(
      home,
      service,
      "SELECT table_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'customer_id' ORDER BY 1",
    )
    for (const { name } of tables.filter(({ name }) => !changing.includes(String(name)))) {
      kept.push(
        await rowsOf(home, service, `SELECT row_to_json(t)::text AS row FROM "${name}" t WHERE customer_id = ${customerId} ORDER BY 1`),
      )
    }
  }
  return JSON.stringify(kept)
}

describe('another office', () => {
  it('is the same 404 as nobody, for every operation of the document with an id, and is not touched', async () => {
    const other = demo.offices[1]?.customer_id ?? ''
    const before = await everythingOf(other)
    const withId = (await operations()).filter(({ path }) => path.includes('{id}') && !ofCaller.includes(path))
    const seen: string[] = []
    for (const { method, path, operation } of withId) {
      const [resource = ''] = path.split('/{id}')
      const id = theirIds[resource]
      expect({ resource, id }).toEqual({ resource, id: expect.stringMatching(/^\d+$/) })
      const answer = (value: string) => ours.request(method, path.replace('/rest', '').replace('{id}', value), bodyOf(operation))
      const [foreign, missing] = [await answer(id ?? ''), await answer(nobodys)]
      expect({ method, path, status: foreign.status, text: foreign.text }).toEqual({ method, path, status: 404, text: missing.text })
      seen.push(`${method} ${path}`)
    }
    expect(seen.length).toBeGreaterThan(15)
    expect(await everythingOf(other)).toBe(before)
  })

  it('is in no list, whatever is asked for', async () => {
    const lists = (await operations()).filter(({ method, path }) => method === 'GET' && theirIds[path] !== undefined)
    expect(lists.length).toBe(Object.keys(theirIds).length)
    for (const { path, operation } of lists) {
      const filters = (operation.parameters ?? []).filter(({ in: place, name }) => place === 'query' && name.endsWith('_id'))
      for (const query of ['', ...filters.map(({ name }) => `?${name}=${demo.offices[1]?.accounts.trainee.user_id}`)]) {
        const { status, text } = await ours.get(`${path.replace('/rest', '')}${query}`)
        expect(status).toBe(200)
        expect(text).not.toContain(`"customer_id":"${demo.offices[1]?.customer_id}"`)
      }
    }
  })

  it('cannot be named in a body: a foreign id is refused as an unknown one', async () => {
    const stranger = demo.offices[1]?.accounts.trainee.user_id
    const trainee = demo.offices[0]?.accounts.trainee.user_id
    const references = [
      ['/tag', (id: unknown) => ({ Tag: { name: 'A', user_id: id } }), stranger],
      ['/issue', (id: unknown) => ({ Issue: { subject: 'A', user_id: id } }), stranger],
      ['/issue_sentence', (id: unknown) => ({ IssueSentence: { issue_id: id, body: 'A' } }), theirIds['/rest/issue']],
      ['/issue', (id: unknown) => ({ Issue: { subject: 'A', user_client_id: id } }), theirIds['/rest/client']],
      ['/comment', (id: unknown) => ({ Comment: { issue_id: id, body: 'A' } }), theirIds['/rest/issue']],
      ['/issue_tag', (id: unknown) => ({ IssueTag: { issue_id: id, tag_id: id } }), theirIds['/rest/tag']],
      ['/issue', (id: unknown) => ({ Issue: { subject: 'A', issue_subject_id: id } }), theirIds['/rest/issue_subject']],
      ['/issue', (id: unknown) => ({ Issue: { subject: 'A', issue_initiator_id: id } }), theirIds['/rest/issue_initiator']],
      ['/issue', (id: unknown) => ({ Issue: { subject: 'A', provider_id: id } }), theirIds['/rest/provider']],
      ['/issue', (id: unknown) => ({ Issue: { subject: 'A', group_id: id } }), theirIds['/rest/group']],
      ['/group/user_group', (id: unknown) => ({ UserGroup: { user_id: trainee, group_id: id } }), theirIds['/rest/group']],
      [
        '/user',
        (id: unknown) => ({ User: { email: 'a@b.example', firstname: 'A', lastname: 'B', user_role_id: id } }),
        theirIds['/rest/user_role'],
      ],
    ] as const
    for (const [path, body, id] of references) {
      const [foreign, missing] = [await ours.post(path, body(id)), await ours.post(path, body(nobodys))]
      expect({ path, status: foreign.status, text: foreign.text }).toEqual({ path, status: 400, text: missing.text })
    }
  })

  it('keeps a client’s cases from another client', async () => {
    const [both, one] = demo.clients
    if (!both || !one) throw new Error('The demo has two clients.')
    const theirs = await signIn(demo.client_base_url, demo.client_id, both)
    const another = await signIn(demo.client_base_url, demo.client_id, one)
    const { body } = await theirs.api.post<{ id: number }>('/issue', { Issue: { customer_id: both.customer_ids[0], subject: 'Mine' } })
    for (const [method, sent] of [['GET'], ['PUT', { Issue: { subject: 'No' } }]] as const) {
      const foreign = await another.api.request(method, `/issue/${body.id}`, sent)
      const missing = await another.api.request(method, `/issue/${nobodys}`, sent)
      expect({ status: foreign.status, text: foreign.text }).toEqual({ status: 404, text: missing.text })
    }
    expect((await httpClient(`${demo.client_base_url}/rest`, another.token).get<unknown[]>('/issue')).body).toEqual([])
  })
})
