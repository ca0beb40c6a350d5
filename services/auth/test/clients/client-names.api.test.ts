import { randomUUID } from 'node:crypto'
import { clientTopic, linkTopic } from '@caseway/protos/topics'
import type { HttpClient } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Auth, type Office, type Person, startAuthService } from '../support/auth.js'
import { signedInOffice } from '../support/staffed-office.js'

let auth: Auth
beforeAll(async () => {
  auth = await startAuthService()
})
afterAll(() => auth.stop())

const toOffice = ({ customerId }: Office) => ({ CustomerUserLink: { customer_id: String(customerId) } })
const card = (names: object = {}) => ({ firstname: 'Eva', lastname: 'Secret', phone: '+48 SECRET', ...names })
const done = { status: 'OK' }

/** A client whom an office has entered (version 1), and who has set a password since (version 2). */
async function entered({ http }: { http: HttpClient }): Promise<Person> {
  const [username, password] = [`${randomUUID()}@client.test`, randomUUID()]
  const { body } = await http.post<{ id: number }>('/client', { Client: { email: username, ...card() } })
  await auth.service.administration.setPassword({ kind: 'client', id: BigInt(body.id) }, password)
  return { id: BigInt(body.id), username, password }
}
const cardAt = async ({ http }: { http: HttpClient }, { id }: Person) => (await http.get<{ Client: object }>(`/client/${id}`)).body.Client
const eventsOf = async ({ id }: Person) =>
  (await auth.published(clientTopic)).filter(({ event }) => event.id === id).map(({ event }) => event)

describe('the names that an office enters', () => {
  it('are not visible to other offices, neither in answers nor in events of the account', async () => {
    const [first, second] = [await signedInOffice(auth), await signedInOffice(auth)]
    const person = await entered(first)
    expect(await cardAt(first, person)).toMatchObject(card())
    expect((await (await auth.asClient(person)).post('/customer_user_link', toOffice(second.office))).status).toBe(201)
    expect(await cardAt(second, person)).toMatchObject({ email: person.username, firstname: '', lastname: '', phone: null })
    expect(await eventsOf(person)).toEqual([expect.objectContaining({ firstname: '', lastname: '', phone: '' })])
    const links = (await auth.published(linkTopic)).filter(({ event }) => event.clientId === person.id).map(({ event }) => event)
    expect(links.map(({ customerId, firstname }) => [customerId, firstname])).toEqual([
      [first.office.customerId, 'Eva'],
      [second.office.customerId, ''],
    ])
  })

  it('become those of the account when the person accepts the invitation with them', async () => {
    const [first, second, third] = [await signedInOffice(auth), await signedInOffice(auth), await signedInOffice(auth)]
    const person = await entered(first)
    const asClient = await auth.asClient(person)
    const invitation = { Client: { email: person.username, ...card({ firstname: 'Ewa', phone: '+48 2' }) } }
    expect((await second.http.post('/client', invitation)).status).toBe(201)
    expect((await asClient.post('/customer_user_link', toOffice(second.office))).status).toBe(201)
    expect(await cardAt(first, person)).toMatchObject(card())
    expect((await asClient.post('/customer_user_link', toOffice(third.office))).status).toBe(201)
    expect(await cardAt(third, person)).toMatchObject({ firstname: 'Ewa', lastname: 'Secret', phone: '+48 2' })
    // The password was the second version.
    expect((await eventsOf(person)).map(({ firstname, revision }) => [firstname, revision])).toEqual([
      ['', 1n],
      ['Ewa', 3n],
    ])
  })

  it('become those of the account also if the person has only confirmed a phone number, which remains', async () => {
    const [first, second] = [await signedInOffice(auth), await signedInOffice(auth)]
    const person = await entered(first)
    const asClient = await auth.asClient(person)
    expect((await asClient.put('/client/me', { Client: { phone: '+48 9' } })).status).toBe(200)
    expect(
      (await second.http.post('/client', { Client: { email: person.username, ...card({ firstname: 'Ewa', phone: '+48 2' }) } })).status,
    ).toBe(201)
    expect((await asClient.post('/customer_user_link', toOffice(second.office))).status).toBe(201)
    expect((await asClient.get('/client/me')).body).toMatchObject({ Client: { firstname: 'Ewa', lastname: 'Secret', phone: '+48 9' } })
  })
})

describe('/rest/client/me on the address of clients', () => {
  it('shows the caller’s account, and confirms the names that are sent', async () => {
    const [first, second] = [await signedInOffice(auth), await signedInOffice(auth)]
    const person = await entered(first)
    const asClient = await auth.asClient(person)
    const before = await asClient.get('/client/me')
    const record = { id: String(person.id), email: person.username, created: expect.any(String), modified: expect.any(String) }
    expect([before.status, before.body]).toEqual([200, { Client: { ...record, firstname: '', lastname: '', phone: null } }])
    const etag = before.headers.get('etag') ?? ''
    const own = { firstname: 'Ewa', lastname: 'Lis', phone: null }
    const sent = { Client: { ...own, email: person.username, id: '1', external_user_id: '7' } }
    expect((await asClient.put('/client/me', sent, { 'if-match': etag })).body).toEqual(done)
    expect((await asClient.get('/client/me')).body).toEqual({ Client: { ...record, ...own } })
    expect((await asClient.put('/client/me', sent, { 'if-match': etag })).status).toBe(412)
    expect((await asClient.post('/customer_user_link', toOffice(second.office))).status).toBe(201)
    expect(await cardAt(second, person)).toMatchObject(own)
    expect(await cardAt(first, person)).toMatchObject(card())
    expect((await eventsOf(person)).at(-1)).toMatchObject({ firstname: 'Ewa', lastname: 'Lis', revision: 3n })
  })

  it('refuses invalid fields, and callers who are not clients', async () => {
    const { office, http } = await signedInOffice(auth)
    const asClient = await auth.asClient(await auth.client(office))
    const { status, body } = await asClient.put('/client/me', { Client: { firstname: ' ', lastname: 'x'.repeat(101), phone: 5 } })
    expect([status, body]).toMatchObject([400, { errorMessages: { firstname: expect.any(String), lastname: expect.any(String) } }])
    for (const method of ['GET', 'PUT']) {
      expect((await asClient.as(undefined).request(method, '/client/me', method === 'PUT' ? {} : undefined)).status).toBe(401)
    }
    expect((await http.get('/client/me')).status).toBe(404)
  })
})

describe('a banned client', () => {
  it('sees nothing of the office until the ban is lifted', async () => {
    const [first, second] = [await signedInOffice(auth), await signedInOffice(auth)]
    const client = await auth.client(first.office, second.office)
    const asClient = await auth.asClient(client)
    type Links = { results: { CustomerUserLink: { id: string; customer_id: string } }[] }
    const links = async () =>
      (await asClient.get<Links>('/customer_user_link?count=1')).body.results.map(({ CustomerUserLink }) => CustomerUserLink)
    const [link] = await links()
    expect((await first.http.put(`/client/${client.id}`, { Client: { banned: 1 } })).body).toEqual(done)
    expect((await links()).map(({ customer_id }) => customer_id)).toEqual([String(second.office.customerId)])
    for (const method of ['GET', 'DELETE']) expect((await asClient.request(method, `/customer_user_link/${link?.id}`)).status).toBe(404)
    expect((await first.http.put(`/client/${client.id}`, { Client: { banned: 0 } })).body).toEqual(done)
    expect(await links()).toHaveLength(2)
  })
})

describe('a client links with offices', () => {
  it('at most 20 times a day, in all copies of the service', async () => {
    const { office } = await signedInOffice(auth)
    const asClient = await auth.asClient(await auth.client(office))
    const nobodys = { CustomerUserLink: { customer_id: '9007199254740991' } }
    for (let times = 0; times < 20; times++) expect((await asClient.post('/customer_user_link', nobodys)).status).toBe(400)
    const { status, headers, body } = await asClient.post('/customer_user_link', nobodys)
    expect([status, body]).toMatchObject([429, { errorCode: 'TOO_MANY_REQUESTS' }])
    const seconds = Number(headers.get('retry-after'))
    expect(seconds > 80_000 && seconds <= 86_400).toBe(true)
    const another = await auth.asClient(await auth.client(office))
    expect((await another.post('/customer_user_link', nobodys)).status).toBe(400)
  })
})

describe('the audit trail of an office', () => {
  it('records who entered, accepted, banned and left', async () => {
    const { office, http } = await signedInOffice(auth)
    const person = await entered({ http })
    const subject = `client:${person.id}`
    const asClient = await auth.asClient(person)
    for (const banned of [1, 0]) expect((await http.put(`/client/${person.id}`, { Client: { banned } })).status).toBe(200)
    expect((await http.put(`/client/${person.id}`, { Client: { firstname: 'Ewa' } })).status).toBe(200)
    const { body } = await asClient.get<{ results: { CustomerUserLink: { id: string } }[] }>('/customer_user_link')
    expect((await asClient.delete(`/customer_user_link/${body.results[0]?.CustomerUserLink.id}`)).status).toBe(200)
    const trail = await http.get<{ AuditEvent: Record<string, string> }[]>(`/audit_event?subject=${subject}`)
    const [employee, own] = [`employee:${office.administrator.id}`, subject]
    const rows = trail.body.map(({ AuditEvent: { kind, actor, details = '' } }) => ({ kind, actor, ...JSON.parse(details) }))
    expect(rows.filter(({ kind }) => kind === 'client.created' || kind === 'link.changed')).toEqual([
      { kind: 'client.created', actor: employee },
      { kind: 'link.changed', actor: employee, state: 'active', banned: '0' },
      { kind: 'link.changed', actor: employee, state: 'active', banned: '1' },
      { kind: 'link.changed', actor: employee, state: 'active', banned: '0' },
      { kind: 'link.changed', actor: own, state: 'ended', banned: '0' },
    ])
  })
})
