import { randomUUID } from 'node:crypto'
import { eventually, type HttpClient, httpClient } from '@caseway/testing'
import { type Receiver, receiver } from '@caseway/testing/webhook-receiver'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { Webhook } from 'standardwebhooks'
import type { Demo } from '../../deploy/local/src/demo/demo-file.js'
import { signInAs } from '../support/people.js'
import { type Launcher, launch, temporaryHome } from '../support/platform.js'

const { home, remove } = temporaryHome()
let there: Receiver
let launcher: Launcher
let demo: Demo
let administrator: HttpClient
let secret: string
let documented: (type: string) => ValidateFunction

beforeAll(async () => {
  there = await receiver()
  launcher = launch(home, { OUTBOUND_PRIVATE_HOSTS: there.host })
  demo = await launcher.ready()
  administrator = (await signInAs(demo, 'administrator')).api
  documented = await documentedEvents()
  secret = (await administrator.post<{ secret: string }>('/webhook', { Webhook: { url: there.url, events: ['*'] } })).body.secret
})
afterAll(async () => {
  await launcher?.stop()
  await there?.stop()
  remove()
})

interface OpenApi {
  readonly webhooks: Readonly<Record<string, { post: { requestBody: { content: { 'application/json': { schema: object } } } } }>>
  readonly components: object
}

/** The schema of each type of event in the OpenAPI document. */
async function documentedEvents(): Promise<(type: string) => ValidateFunction> {
  const { webhooks, components } = (await administrator.get<OpenApi>('/openapi.json')).body
  const ajv = new Ajv2020({ strict: false })
  formats.default(ajv)
  return (type) => ajv.compile({ ...webhooks[type]?.post.requestBody.content['application/json'].schema, components })
}

/** Waits for a delivery of a type, and checks its schema and its signature. */
const delivered = (type: string, matches: (record: Readonly<Record<string, unknown>>) => boolean) =>
  eventually(async () => {
    const found = there.received.find(({ body }) => body.type === type && matches(Object.values(body.data)[0] ?? {}))
    if (!found) throw new Error(`${type} has not come.`)
    const isDocumented = documented(type)
    isDocumented(found.body)
    expect(isDocumented.errors).toBeNull()
    new Webhook(secret).verify(found.text, found.headers as Record<string, string>)
    return found.body.data
  })

const withId = (id: unknown) => (record: Readonly<Record<string, unknown>>) => String(record.id) === String(id)

describe('a webhook receives every record as REST shows it', () => {
  const email = `${randomUUID()}@webhook.example`
  const names = { firstname: 'Ewa', lastname: 'Nowak' }

  it.each([
    ['issue.created', '/issue', { Issue: { subject: 'A case' } }],
    ['group.created', '/group', { Group: { name: 'A group' } }],
    ['user.created', '/user', { User: { ...names, email } }],
    ['client.created', '/client', { Client: { ...names, email } }],
  ])('%s', async (type, path, body) => {
    const { status, text, body: created } = await administrator.post<{ id: number }>(path, body)
    expect([status, text]).toEqual([201, expect.any(String)])
    const data = await delivered(type, withId(created.id))
    expect(data).toEqual((await administrator.get(`${path}/${created.id}`)).body)
  })

  it('issue_sentence.sent, by an employee, and not before', async () => {
    const { id: issue_id } = (await administrator.post<{ id: number }>('/issue', { Issue: { subject: 'A case' } })).body
    const write = async (status: string) =>
      (await administrator.post<{ id: number }>('/issue_sentence', { IssueSentence: { issue_id, body: 'Good morning', status } })).body.id
    const draft = await write('draft')
    const sent = await write('sent')
    expect(await delivered('issue_sentence.sent', withId(sent))).toEqual((await administrator.get(`/issue_sentence/${sent}`)).body)
    expect(there.received.some(({ text }) => text.includes('"IssueSentence"') && text.includes(`"id":"${draft}"`))).toBe(false)
  })

  it('provider_person.created', async () => {
    const { id: provider_id } = (await administrator.post<{ id: number }>('/provider', { Provider: { name: 'A supplier' } })).body
    const { body } = await administrator.post<{ ProviderPerson: { id: string } }>('/provider_person', {
      ProviderPerson: { provider_id, first_name: 'Ewa', last_name: 'Nowak', email },
    })
    const { id } = body.ProviderPerson
    expect(await delivered('provider_person.created', withId(id))).toEqual((await administrator.get(`/provider_person/${id}`)).body)
  })

  it('common_file.created', async () => {
    const form = new FormData()
    form.set('file', new Blob(['A file']), 'file.txt')
    const { body } = await administrator.post<{ id: number }>('/common_file', form)
    const { CommonFile } = await delivered('common_file.created', withId(body.id))
    expect(CommonFile).toMatchObject({ id: expect.anything(), name: 'file.txt', customer_id: expect.anything() })
  })

  it('customer.updated', async () => {
    await administrator.put('/customer/me', { Customer: { city: 'Łódź' } })
    const data = await delivered('customer.updated', ({ city }) => city === 'Łódź')
    expect(data).toEqual((await administrator.get('/customer/me')).body)
  })

  it('poll_answer.created', async () => {
    const { body: widget } = await administrator.post<{ id: number; external_hash: string }>('/chat_widget', {
      ChatWidget: { url: 'https://a.example' },
    })
    const header = { type: 'header', data: { poll_id: `${demo.offices[0]?.customer_id}-${widget.external_hash}` } }
    const { body } = await httpClient(demo.client_base_url).post<{ id: number }>('/poll_answers/save', [header])
    const { PollAnswer } = await delivered('poll_answer.created', withId(body.id))
    expect(PollAnswer).toEqual((await administrator.get(`/poll_answer/${body.id}`)).body)
  })

  it('and the document describes each of them', async () => {
    const { webhooks } = (await administrator.get<OpenApi>('/openapi.json')).body
    // A reference to a component that no service has would be an empty schema.
    expect(JSON.stringify(webhooks)).not.toContain('{}')
  })

  it('issue.deleted, by its id', async () => {
    const { body } = await administrator.post<{ id: number }>('/issue', { Issue: { subject: 'Gone' } })
    await administrator.delete(`/issue/${body.id}`)
    expect(await delivered('issue.deleted', withId(body.id))).toEqual({ Issue: { id: String(body.id) } })
  })
})
