import { unavailable } from '@caseway/kit/errors'
import { grpcAddressVariable } from '@caseway/registry'
import { type HttpClient, randomId, type TestTenant } from '@caseway/testing'
import { customer, link } from '@caseway/testing/fake-auth'
import { type FakeObjects, fakeObjects, object } from '@caseway/testing/fake-objects'
import { type TestService, testService } from '@caseway/testing/service'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { mail } from '../../src/wiring.js'

let cases: FakeObjects
let service: TestService
beforeAll(async () => {
  cases = await fakeObjects()
  service = await testService(mail, { variables: { MAIL_ROLES: 'http', [grpcAddressVariable('cases-and-counters')]: cases.address } })
})
afterAll(async () => {
  await service.stop()
  await cases.stop()
})

let here: TestTenant
let http: HttpClient
beforeEach(() => {
  here = service.office()
  http = service.asExpert(here.expert)
  cases.onQuestion = async () => undefined
})

const path = '/mail_template'
const template = { name: 'A greeting', mail_subject: 'Case {{issue.number}}', mail_body: '<p>Dear {{client.firstname}}</p>' }
const post = (fields: object = {}, by = http) => by.post<{ id: number }>(path, { MailTemplate: { ...template, ...fields } })
const create = async (fields: object = {}) => (await post(fields)).body.id

interface Text {
  MailTemplateText: { mail_subject: string; mail_body: string; missing: string[] }
}
const render = (id: number, about: object = {}, by = http) => by.post<Text>(`${path}/${id}/render`, { MailTemplateText: about })
const textOf = async (id: number, about: object = {}, by = http) => (await render(id, about, by)).body.MailTemplateText

function newClient(names: { firstname?: string; lastname?: string; companyName?: string } = {}, { customerId }: TestTenant = here) {
  const clientId = randomId()
  service.auth.links.push(link({ customerId, clientId, firstname: 'Jan', lastname: 'Kowalski', email: 'jan@client.example', ...names }))
  return clientId
}
function newCase(userClientId: bigint | null = null, { customerId }: TestTenant = here) {
  const issue = object({ customerId, userClientId, subject: 'Tax & more' })
  cases.objects.push(issue)
  return issue.id
}

describe('the templates of an office', () => {
  it('are written by administrators and experts, and read by everybody in the office', async () => {
    const administrator = service.asExpert(here.administrator)
    const [specialist, trainee] = [service.asExpert(here.specialist), service.asExpert(here.trainee)]
    const id = (await post({}, administrator)).body.id
    for (const reader of [administrator, http, specialist, trainee]) {
      expect((await reader.get(`${path}/${id}`)).body).toMatchObject({ MailTemplate: { id: String(id), ...template } })
    }
    for (const reader of [specialist, trainee]) {
      const change = await reader.put(`${path}/${id}`, { MailTemplate: { name: 'Other' } })
      expect([(await post({}, reader)).status, change.status, (await reader.delete(`${path}/${id}`)).status]).toEqual([403, 403, 403])
    }
    expect((await http.put(`${path}/${id}`, { MailTemplate: { mail_subject: 'Hello' } })).status).toBe(200)
    expect((await http.get(`${path}?sort=name`)).body).toMatchObject([{ MailTemplate: { mail_subject: 'Hello' } }])
    expect((await http.delete(`${path}/${id}`)).status).toBe(200)
    expect((await http.get(`${path}/${id}`)).status).toBe(404)
  })

  it('are sanitised: they run and load nothing', async () => {
    const id = await create({
      mail_body: '<p onclick="x()">Dear {{client.firstname}}</p><script>x()</script><img src="https://evil.example/x.png">',
    })
    const { body } = await http.get<{ MailTemplate: { mail_body: string } }>(`${path}/${id}`)
    expect(body.MailTemplate.mail_body).toMatch(/^<p>Dear \{\{client\.firstname\}\}<\/p><img ?\/>$/)
  })

  const onlyNames = 'may have nothing but names of fields in double braces, as {{client.firstname}}'
  const unknown = (names: string) => `names fields that do not exist: ${names}`
  it.each([
    ['another field of a record', '{{client.password}}', unknown('client.password')],
    ['another kind of record', '{{poll.name}} {{constructor.name}}', unknown('poll.name, constructor.name')],
    ['no name', '{{ }}', onlyNames],
    ['a section', '{{#client}}x{{/client}}', onlyNames],
    ['a value that is not escaped', '{{{client.firstname}}}', onlyNames],
    ['a partial', '{{> client}}', onlyNames],
    ['another delimiter', '{{=| |=}}', onlyNames],
    ['braces that are not closed', '{{client.firstname', onlyNames],
    ['a section that is not closed', '{{#client}}', onlyNames],
  ])('are 400 with %s, and nothing is stored', async (_, text, why) => {
    const id = await create()
    const answers = [await post({ mail_subject: text }), await http.put(`${path}/${id}`, { MailTemplate: { mail_subject: text } })]
    for (const { status, body } of answers) expect([status, body]).toEqual([400, { status: 'error', errorMessages: { mail_subject: why } }])
    expect((await http.get(path)).body).toMatchObject([{ MailTemplate: { mail_subject: template.mail_subject } }])
  })

  it('are validated as they are stored: sanitising cannot join braces to an unescaped value', async () => {
    const { status, body } = await post({ mail_body: '{<script></script>{{client.firstname}}}' })
    expect([status, body]).toEqual([400, { status: 'error', errorMessages: { mail_body: onlyNames } }])
  })
})

describe('a template with values', () => {
  it('has the names of the client, the case, the office and its author', async () => {
    const { customerId } = here
    service.auth.customers.push(customer({ id: customerId, name: 'Nowak & Partners', phone: '+48 22 000' }))
    Object.assign(service.auth.users.find(({ id }) => id === here.expert.userId) ?? {}, { firstname: 'Anna', lastname: 'Nowak' })
    const id = await create({
      mail_subject: '{{issue.subject}} ({{ issue.number }}) for {{client.firstname}} {{client.lastname}}',
      mail_body: '<p>{{issue.subject}}, {{customer.name}}, {{customer.phone}}, {{user.firstname}} {{user.lastname}}, {{client.email}}</p>',
    })
    expect(await textOf(id, { client_id: String(newClient()), issue_id: String(newCase()) })).toEqual({
      mail_subject: 'Tax & more (7) for Jan Kowalski',
      mail_body: '<p>Tax &amp; more, Nowak &amp; Partners, +48 22 000, Anna Nowak, jan@client.example</p>',
      missing: [],
    })
  })

  it('escapes the name of a client', async () => {
    const id = await create({ mail_subject: '{{client.company_name}}', mail_body: '<p>{{client.company_name}} {{client.firstname}}</p>' })
    const client_id = newClient({ companyName: '<script>x()</script>', firstname: '{{user.email}}' })
    const { mail_subject, mail_body } = await textOf(id, { client_id: String(client_id) })
    expect(mail_subject).toBe('<script>x()</script>')
    expect(mail_body).toBe('<p>&lt;script&gt;x()&lt;/script&gt; {{user.email}}</p>')
  })

  it('has links to values that are addresses, and to no others', async () => {
    const { customerId } = here
    service.auth.customers.push(customer({ id: customerId, url: 'https://office.example/a?b=1&c=2' }))
    const link = (href: string) => `<a href="${href}" target="_blank" rel="noopener noreferrer nofollow">x</a>`
    const hrefs = ['{{customer.url}}', '{{customer.url}}#top', 'mailto:{{client.email}}']
    const mail_body = [...hrefs, '{{client.company_name}}', '{{client.phone}}javascript:x()', 'portal/{{issue.number}}'].map(link).join('')
    const id = await create({ mail_body })
    const stored = (await http.get<{ MailTemplate: { mail_body: string } }>(`${path}/${id}`)).body.MailTemplate.mail_body
    expect(stored).toBe(mail_body.replace(link('portal/{{issue.number}}'), '<a>x</a>'))
    const text = await textOf(id, { client_id: String(newClient({ companyName: 'java\tscript:x()' })) })
    const url = 'https://office.example/a?b=1&amp;c=2'
    expect(text.mail_body).toBe(`${[url, `${url}#top`, 'mailto:jan@client.example'].map(link).join('')}${'<a>x</a>'.repeat(3)}`)
  })

  it('has the client of the case, unless another one is named', async () => {
    const [ofCase, other] = [newClient({ firstname: 'Ewa' }), newClient({ firstname: 'Jan' })]
    const issue_id = String(newCase(ofCase))
    const id = await create()
    expect((await textOf(id, { issue_id })).mail_body).toBe('<p>Dear Ewa</p>')
    expect((await textOf(id, { issue_id, client_id: String(other) })).mail_body).toBe('<p>Dear Jan</p>')
  })

  it('reports fields without a value, and leaves them empty', async () => {
    const id = await create({ mail_body: '<p>Dear {{client.firstname}}, {{client.phone}} {{client.phone}}</p>' })
    expect(await textOf(id, { client_id: String(newClient()) })).toEqual({
      ...{ mail_subject: 'Case ', mail_body: '<p>Dear Jan,  </p>', missing: ['issue.number', 'client.phone'] },
    })
    expect((await textOf(id)).missing).toEqual(['issue.number', 'client.firstname', 'client.phone'])
  })

  it('is 400 for a client or a case that the office does not have', async () => {
    const there = service.office()
    const id = await create({ mail_subject: 'Hello', mail_body: '' })
    const missing = (field: string) => [400, { status: 'error', errorMessages: { [field]: 'does not exist' } }]
    for (const client_id of [String(newClient({}, there)), String(randomId())]) {
      const { status, body } = await render(id, { client_id })
      expect([status, body]).toEqual(missing('client_id'))
    }
    for (const issue_id of [String(newCase(null, there)), String(randomId())]) {
      const { status, body } = await render(id, { issue_id })
      expect([status, body]).toEqual(missing('issue_id'))
    }
    const { body } = await render(id, { client_id: String(randomId()), issue_id: String(randomId()) })
    expect(body).toMatchObject({ errorMessages: { client_id: 'does not exist', issue_id: 'does not exist' } })
  })

  it('is 403 for a case that its owner shows to others alone', async () => {
    const issue = object({ customerId: here.customerId, locked: true })
    cases.objects.push(issue)
    expect((await render(await create(), { issue_id: String(issue.id) })).status).toBe(403)
  })

  it('is 404 for another office, whatever the request names', async () => {
    const id = await create()
    const stranger = service.asExpert(service.office().expert)
    const answers = [await stranger.get(`${path}/${id}`), await render(id, {}, stranger), await stranger.delete(`${path}/${id}`)]
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
  })

  it('is 503 while the owner of a record does not answer', async () => {
    const id = await create()
    const issue_id = String(newCase())
    cases.onQuestion = async () => {
      throw unavailable()
    }
    expect((await render(id, { issue_id })).status).toBe(503)
    expect((await render(id)).status).toBe(200)
  })
})
