import { randomUUID } from 'node:crypto'
import { type HttpClient, randomId } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Auth, clientUrl, expertUrl, type Office, startAuthService } from '../support/auth.js'
import { signedInOffice } from '../support/staffed-office.js'

let auth: Auth
beforeAll(async () => {
  auth = await startAuthService()
})
afterAll(() => auth.stop())

const done = { status: 'OK' }
const alreadyLinked = { status: 'error', errorCode: 'ALREADY_LINKED', errorMessages: expect.any(String) }
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
type Links = { results: { CustomerUserLink: Record<string, string>; Client?: Record<string, string> }[] }
const toOffice = ({ customerId }: Office) => ({ CustomerUserLink: { customer_id: String(customerId) } })
const invites = (email: string) => ({ CustomerUserLink: { email } })

const linkIds = async (http: HttpClient, path: string) =>
  (await http.get<Links>(path)).body.results.map(({ CustomerUserLink }) => CustomerUserLink.id as string)
const own = '/customer_user_link'
const ofOffice = '/customer_user_link/client'

describe('on the address of employees', () => {
  it('GET lists the clients of the office exactly as specified', async () => {
    const { office, http } = await signedInOffice(auth)
    const client = await auth.client(office)
    const { status, body } = await http.get(ofOffice)
    const link = { id: expect.stringMatching(/^\d+$/), customer_id: String(office.customerId), user_client_id: String(client.id) }
    const record = {
      CustomerUserLink: { ...link, created: timestamp, modified: timestamp },
      Client: { id: String(client.id), email: client.username, firstname: 'Ada', lastname: 'Nowak', phone: null },
    }
    expect([status, body]).toEqual([200, { results: [record] }])
    const [id] = await linkIds(http, ofOffice)
    expect((await http.get(`${ofOffice}/${id}`)).body).toEqual(record)
    expect((await http.get<Links>(`${ofOffice}?user_client_id=${randomId()}`)).body).toEqual({ results: [] })
  })

  it('POST creates an account for a new address, without names', async () => {
    const { http } = await signedInOffice(auth)
    const email = `${randomUUID()}@client.test`
    const { status, headers, body } = await http.post<{ id: number }>(ofOffice, invites(email))
    expect([status, body]).toEqual([201, { id: expect.any(Number) }])
    expect(headers.get('location')).toBe(`${expertUrl}/rest/customer_user_link/client/${body.id}`)
    expect((await http.get(`${ofOffice}/${body.id}`)).body).toMatchObject({ Client: { email, firstname: '', lastname: '' } })
    expect((await http.post(ofOffice, invites(email))).body).toEqual(alreadyLinked)
    expect((await http.post(ofOffice, invites('nobody'))).body).toMatchObject({ errorMessages: { email: expect.any(String) } })
  })

  it('POST invites a client who has an account, whose names are visible after they accept', async () => {
    const { office, http } = await signedInOffice(auth)
    const client = await auth.client(await auth.office())
    const { body } = await http.post<{ id: number }>(ofOffice, invites(client.username))
    const hidden = { email: client.username, firstname: '', lastname: '', phone: null }
    expect((await http.get(`${ofOffice}/${body.id}`)).body).toMatchObject({ Client: hidden })
    const asClient = await auth.asClient(client)
    expect((await linkIds(asClient, own)).includes(String(body.id))).toBe(false)
    expect((await asClient.post<{ id: number }>(own, toOffice(office))).body).toEqual(body)
    expect((await http.get(`${ofOffice}/${body.id}`)).body).toMatchObject({ Client: { firstname: 'Ada', lastname: 'Nowak' } })
  })

  it('DELETE ends the link, for the client as well', async () => {
    const { office, http } = await signedInOffice(auth)
    const asClient = await auth.asClient(await auth.client(office))
    const [id] = await linkIds(http, ofOffice)
    expect((await http.delete(`${ofOffice}/${id}`, { 'if-match': '"9"' })).status).toBe(412)
    expect((await http.delete(`${ofOffice}/${id}`)).body).toEqual(done)
    expect((await http.delete(`${ofOffice}/${id}`)).status).toBe(404)
    expect(await linkIds(http, ofOffice)).toEqual([])
    expect(await linkIds(asClient, own)).toEqual([])
    expect((await asClient.post(own, toOffice(office))).status).toBe(201)
    expect(await linkIds(http, ofOffice)).toEqual([id])
  })

  it('does not have the paths without "client"', async () => {
    const { http } = await signedInOffice(auth)
    expect((await http.get(own)).status).toBe(404)
  })
})

describe('on the address of clients', () => {
  it('GET lists the offices of the client exactly as specified', async () => {
    const { office } = await signedInOffice(auth)
    await auth.client(office)
    const asClient = await auth.asClient(await auth.client(office))
    const { status, body } = await asClient.get(own)
    const record = {
      CustomerUserLink: { id: expect.stringMatching(/^\d+$/), customer_id: String(office.customerId) },
      CustomerCompany: { name: 'Office' },
    }
    expect([status, body]).toEqual([200, { results: [record] }])
    const [id] = await linkIds(asClient, own)
    expect((await asClient.get(`${own}/${id}`)).body).toEqual(record)
  })

  it('POST links with an office, whose card gets the names of the account', async () => {
    const { office, http } = await signedInOffice(auth)
    const client = await auth.client(await auth.office())
    const asClient = await auth.asClient(client)
    const { status, headers, body } = await asClient.post<{ id: number }>(own, toOffice(office))
    expect([status, body]).toEqual([201, { id: expect.any(Number) }])
    expect(headers.get('location')).toBe(`${clientUrl}/rest/customer_user_link/${body.id}`)
    expect((await http.get(`/client/${client.id}`)).body).toMatchObject({ Client: { firstname: 'Ada', lastname: 'Nowak', banned: '0' } })
    const again = await asClient.post(own, toOffice(office))
    expect([again.status, again.body]).toEqual([409, alreadyLinked])
  })

  it('POST refuses an office that does not exist', async () => {
    const asClient = await auth.asClient(await auth.client(await auth.office()))
    const { status, body } = await asClient.post(own, { CustomerUserLink: { customer_id: String(randomId()) } })
    expect([status, body]).toEqual([400, { status: 'error', errorMessages: { customer_id: 'does not exist' } }])
    expect((await asClient.post(own, {})).body).toEqual({ status: 'error', errorMessages: { CustomerUserLink: 'is required' } })
    expect((await asClient.post(own, { CustomerUserLink: {} })).body).toMatchObject({ errorMessages: { customer_id: expect.any(String) } })
  })

  it('DELETE ends the link, after which the office does not see the client', async () => {
    const { office, http } = await signedInOffice(auth)
    const client = await auth.client(office)
    const asClient = await auth.asClient(client)
    const [id] = await linkIds(asClient, own)
    expect((await asClient.delete(`${own}/${id}`, { 'if-match': '"9"' })).status).toBe(412)
    expect((await asClient.delete(`${own}/${id}`)).body).toEqual(done)
    expect((await asClient.delete(`${own}/${id}`)).status).toBe(404)
    expect((await http.get(`/client/${client.id}`)).status).toBe(404)
  })

  it('another client’s link is the same 404 as one that does not exist', async () => {
    const { office } = await signedInOffice(auth)
    const mine = await auth.asClient(await auth.client(office))
    const other = await auth.asClient(await auth.client(office))
    const [id] = await linkIds(other, own)
    for (const method of ['GET', 'DELETE']) {
      const foreign = await mine.request(method, `${own}/${id}`)
      const unknown = await mine.request(method, `${own}/${randomId()}`)
      expect([foreign.status, unknown.text]).toEqual([404, foreign.text])
    }
    expect(await linkIds(other, own)).toEqual([id])
  })

  it('an invitation can be accepted, but not deleted', async () => {
    const { http } = await signedInOffice(auth)
    const client = await auth.client(await auth.office())
    const { body } = await http.post<{ id: number }>(ofOffice, invites(client.username))
    const asClient = await auth.asClient(client)
    expect((await asClient.get(`${own}/${body.id}`)).status).toBe(404)
    expect((await asClient.delete(`${own}/${body.id}`)).status).toBe(404)
  })

  it('GET of the invitations lists the offices to accept, and no links', async () => {
    const client = await auth.client(await auth.office())
    const asClient = await auth.asClient(client)
    const [first, second, third] = [await signedInOffice(auth), await signedInOffice(auth), await signedInOffice(auth)]
    const ids: string[] = []
    for (const { http } of [first, second, third])
      ids.push(String((await http.post<{ id: number }>(ofOffice, invites(client.username))).body.id))
    expect((await second.http.put(`/client/${client.id}`, { Client: { banned: 1 } })).status).toBe(200)
    const invitation = ({ office }: typeof first, id = '') => ({
      CustomerUserLink: { id, customer_id: String(office.customerId) },
      CustomerCompany: { name: 'Office' },
    })
    const path = `${own}/invitation`
    expect((await asClient.get(path)).body).toEqual({ results: [invitation(first, ids[0]), invitation(third, ids[2])] })
    expect((await asClient.post(own, toOffice(first.office))).status).toBe(201)
    expect((await asClient.get(path)).body).toEqual({ results: [invitation(third, ids[2])] })
    expect((await (await auth.asClient(await auth.client(first.office))).get(path)).body).toEqual({ results: [] })
    expect((await asClient.as(undefined).get(path)).status).toBe(401)
    expect((await first.http.get(path)).status).toBe(404)
  })

  it('is for clients only', async () => {
    const { office, http } = await signedInOffice(auth)
    const asClient = await auth.asClient(await auth.client(office))
    for (const method of ['GET', 'POST']) {
      const sent = method === 'POST' ? toOffice(office) : undefined
      expect((await asClient.as(undefined).request(method, own, sent)).status).toBe(401)
      const employee = (await auth.signIn(office.administrator)).access_token
      expect((await asClient.as(employee).request(method, own, sent)).status).toBe(401)
    }
    expect((await http.get(ofOffice)).status).toBe(200)
  })
})

describe('a link that is reopened', () => {
  const card = { firstname: 'Jan', lastname: 'Kowalski', phone: '+48 1', company_name: 'Jan & Co' }
  /** A client without confirmed names, whom the office has named, and whose link has ended. */
  async function parted() {
    const { office, http } = await signedInOffice(auth)
    const client = await auth.client(await auth.office())
    await auth.database.rows('UPDATE clients SET names_confirmed = NULL WHERE id = $1', [String(client.id)])
    const asClient = await auth.asClient(client)
    const path = `/client/${client.id}`
    expect((await asClient.post(own, toOffice(office))).status).toBe(201)
    expect((await http.put(path, { Client: { ...card, banned: 1 } })).status).toBe(200)
    expect((await http.delete(path)).status).toBe(200)
    const lifted = 'UPDATE client_links SET banned = false WHERE user_client_id = $1 AND customer_id = $2'
    return {
      ...{ office, http, client, asClient, path },
      liftBan: () => auth.database.rows(lifted, [String(client.id), String(office.customerId)]),
    }
  }

  it('keeps the card of the office, whether the client or the office reopens it', async () => {
    const { office, http, client, asClient, path, liftBan } = await parted()
    await liftBan()
    expect((await asClient.post(own, toOffice(office))).status).toBe(201)
    expect((await http.get(path)).body).toMatchObject({ Client: card })
    expect((await http.delete(path)).status).toBe(200)
    expect((await http.post(ofOffice, invites(client.username))).status).toBe(201)
    expect((await http.get(path)).body).toMatchObject({ Client: card })
  })

  it('gets the names that the office enters, and keeps the other fields of the card', async () => {
    const { http, client, path } = await parted()
    const Client = { email: client.username, firstname: 'Janusz', lastname: 'Nowy' }
    expect((await http.post('/client', { Client })).status).toBe(201)
    expect((await http.get(path)).body).toMatchObject({ Client: { ...card, ...Client } })
  })

  it('is no longer banned if the office invites them without a ban', async () => {
    const { office, http, client, asClient, path } = await parted()
    expect((await asClient.post(own, toOffice(office))).status).toBe(403)
    expect((await http.post('/client', { Client: { email: client.username, firstname: 'Jan', lastname: 'K' } })).status).toBe(201)
    expect((await http.get(path)).body).toMatchObject({ Client: { banned: '0' } })
    expect((await asClient.post(own, toOffice(office))).status).toBe(201)
  })
})
