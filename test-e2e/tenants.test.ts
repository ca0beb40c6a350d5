import { serviceNames } from '@caseway/registry'
import { type HttpClient, httpClient } from '@caseway/testing'
import { type TestPlatform, testPlatform } from '@caseway/testing/accounting-platform'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Demo } from '../deploy/local/src/demo/demo-file.js'
import { rowsOf } from './support/databases.js'
import { officeRecords } from './support/demo-records.js'
import { type Operation, operations, wrappedBody } from './support/openapi.js'
import { administratorOf, signIn } from './support/people.js'
import { type Launcher, launch, temporaryHome } from './support/platform.js'

const { home, remove } = temporaryHome()
let platform: TestPlatform
let launcher: Launcher
let demo: Demo
let ours: HttpClient
let theirIds: Record<string, string>

beforeAll(async () => {
  platform = await testPlatform()
  launcher = launch(home, platform.variables)
  demo = await launcher.ready()
  ours = await administratorOf(demo)
  theirIds = await somethingOfEach()
})
afterAll(async () => {
  await launcher?.stop()
  await platform?.stop()
  remove()
})

const nobodys = '9007199254740991'

/** A record of each resource of the other office, by path. */
async function somethingOfEach(): Promise<Record<string, string>> {
  const records = await officeRecords(demo, 1, platform, home)
  const known: Record<string, string> = {}
  for (const path of new Set((await withId()).map(resourceOf))) known[path] = await records.one(path)
  return known
}

/** The operations with the id of a record. */
const withId = async () => (await operations(ours)).filter(({ path }) => path.includes('{id}') && !ofCaller.includes(path))

const resourceOf = ({ path }: { path: string }) => path.split('/{id}')[0] ?? ''

/** A body with the required fields only. */
function smallestBody(operation: Operation) {
  if (!operation.requestBody) return undefined
  const wrapped = wrappedBody(operation)
  return wrapped ? { [wrapped.wrapper]: Object.fromEntries(wrapped.required.map((field) => [field, '1'])) } : []
}

/** Paths that return the caller's own record, whatever the id. */
const ofCaller = ['/report/{id}']

/** The list of records whose own path has none. */
const listedElsewhere: Record<string, string> = {
  '/chat_widget': '/chat_widget/list',
  '/common_file_object': '/common_file/common_file_object',
}

/** Tables that change without any action of the office. */
const changing = ['counter_checks', 'feed_entries']

/** All rows of an office in all services, as JSON. */
async function everythingOf(customerId: string): Promise<string> {
  const kept: unknown[] = []
  for (const service of serviceNames) {
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
  it('gets the same 404 as an unknown id, for every operation with an id, and is not changed', async () => {
    const other = demo.offices[1]?.customer_id ?? ''
    const before = await everythingOf(other)
    const seen: string[] = []
    for (const { method, path, operation } of await withId()) {
      const id = theirIds[resourceOf({ path })]
      expect({ path, id }).toEqual({ path, id: expect.stringMatching(/^\d+$/) })
      const answer = (value: string) => ours.request(method, path.replace('{id}', value), smallestBody(operation))
      const [foreign, missing] = [await answer(id ?? ''), await answer(nobodys)]
      expect({ method, path, status: foreign.status, text: foreign.text }).toEqual({ method, path, status: 404, text: missing.text })
      seen.push(`${method} ${path}`)
    }
    expect(seen.length).toBeGreaterThan(15)
    expect(await everythingOf(other)).toBe(before)
  })

  it('is in no list, whatever is asked for', async () => {
    const paths = new Set(Object.keys(theirIds).map((path) => listedElsewhere[path] ?? path))
    const lists = (await operations(ours)).filter(({ method, path }) => method === 'GET' && paths.has(path))
    expect(lists.length).toBe(Object.keys(theirIds).length)
    for (const { path, operation } of lists) {
      const filters = (operation.parameters ?? []).filter(({ in: place, name }) => place === 'query' && name.endsWith('_id'))
      for (const query of ['', ...filters.map(({ name }) => `?${name}=${demo.offices[1]?.accounts.trainee.user_id}`)]) {
        const { status, text } = await ours.get(`${path}${query}`)
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
      ['/issue_sentence', (id: unknown) => ({ IssueSentence: { issue_id: id, body: 'A' } }), theirIds['/issue']],
      ['/issue', (id: unknown) => ({ Issue: { subject: 'A', user_client_id: id } }), theirIds['/client']],
      ['/comment', (id: unknown) => ({ Comment: { issue_id: id, body: 'A' } }), theirIds['/issue']],
      ['/issue_tag', (id: unknown) => ({ IssueTag: { issue_id: id, tag_id: id } }), theirIds['/tag']],
      ['/issue', (id: unknown) => ({ Issue: { subject: 'A', issue_subject_id: id } }), theirIds['/issue_subject']],
      ['/issue', (id: unknown) => ({ Issue: { subject: 'A', issue_initiator_id: id } }), theirIds['/issue_initiator']],
      ['/issue', (id: unknown) => ({ Issue: { subject: 'A', provider_id: id } }), theirIds['/provider']],
      ['/issue', (id: unknown) => ({ Issue: { subject: 'A', group_id: id } }), theirIds['/group']],
      [
        '/common_file_object',
        (id: unknown) => ({ CommonFileObject: { common_file_id: id, object_name: 'Issue', object_id: id } }),
        theirIds['/common_file'],
      ],
      ['/group/user_group', (id: unknown) => ({ UserGroup: { user_id: trainee, group_id: id } }), theirIds['/group']],
      [
        '/user',
        (id: unknown) => ({ User: { email: 'a@b.example', firstname: 'A', lastname: 'B', user_role_id: id } }),
        theirIds['/user_role'],
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
