import { randomUUID } from 'node:crypto'
import { holdTransaction, untilWaiting } from '@caseway/testing/held-transaction'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Auth, expertUrl, type Office, type Person, startAuthService } from '../support/auth.js'
import { signedInOffice } from '../support/staffed-office.js'

let auth: Auth
beforeAll(async () => {
  auth = await startAuthService()
})
afterAll(() => auth.stop())

const done = { status: 'OK' }
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
const newClient = (more: object = {}) => ({ Client: { email: `${randomUUID()}@client.test`, firstname: 'Eva', lastname: 'Lis', ...more } })
type Listed = { Client: Record<string, string> }[]

/** A client of another office, whose account must not be visible before they accept. */
async function stranger(): Promise<Person> {
  const client = await auth.client(await auth.office())
  const account = "UPDATE clients SET phone = '+48 SECRET', external_user_id = 'SECRET-' || id, firstname = 'SECRET' WHERE id = $1"
  await auth.database.rows(account, [client.id])
  await auth.database.rows("UPDATE client_links SET company_name = 'SECRET' WHERE user_client_id = $1", [client.id])
  return client
}
const stateOf = async (id: unknown, { customerId }: Office) =>
  (await auth.database.rows('SELECT state FROM client_links WHERE user_client_id = $1 AND customer_id = $2', [id, customerId]))[0]?.state

describe('POST /rest/client', () => {
  it('creates an account for a new address, linked at once', async () => {
    const { office, http } = await signedInOffice(auth, 'trainee')
    const externalUserId = randomUUID()
    const sent = newClient({ phone: '+48 600', company_name: 'Lis & Co', external_user_id: externalUserId, id: '1', customer_id: '1' })
    const { status, headers, body } = await http.post<{ id: number }>('/client', sent)
    expect([status, body]).toEqual([201, { id: expect.any(Number) }])
    expect(headers.get('location')).toBe(`${expertUrl}/rest/client/${body.id}`)
    expect((await http.get(`/client/${body.id}`)).body).toEqual({
      Client: {
        ...{ id: String(body.id), customer_id: String(office.customerId), email: sent.Client.email },
        ...{ firstname: 'Eva', lastname: 'Lis', phone: '+48 600', company_name: 'Lis & Co' },
        ...{ external_user_id: externalUserId, banned: '0', created: timestamp, modified: timestamp },
      },
    })
    expect(await stateOf(body.id, office)).toBe('active')
  })

  it('invites a client who has an account, which is not visible before they accept', async () => {
    const { office, http } = await signedInOffice(auth, 'trainee')
    const known = await stranger()
    const sent = newClient({ email: known.username })
    const { status, body } = await http.post<{ id: number }>('/client', sent)
    expect([status, body]).toEqual([201, { id: Number(known.id) }])
    expect(await stateOf(known.id, office)).toBe('invited')
    const shown = await http.get(`/client/${known.id}`)
    expect(shown.body).toMatchObject({
      Client: { firstname: 'Eva', lastname: 'Lis', phone: null, company_name: null, external_user_id: null, email: known.username },
    })
    const administrator = await auth.asExpert(office.administrator)
    const answers = [shown, await http.get('/client'), await administrator.get('/customer_user_link/client')]
    for (const { status, text } of answers) {
      expect(status).toBe(200)
      expect(text).toContain(known.username)
      expect(text).not.toContain('SECRET')
    }
    expect((await http.get<Listed>(`/client?external_user_id=SECRET-${known.id}`)).body).toEqual([])

    const link = { CustomerUserLink: { customer_id: String(office.customerId) } }
    expect((await (await auth.asClient(known)).post('/customer_user_link', link)).status).toBe(201)
    expect((await http.get(`/client/${known.id}`)).body).toMatchObject({
      Client: { firstname: 'Eva', phone: null, external_user_id: `SECRET-${known.id}` },
    })
  })

  it('answers for a known address as for a new one, except for the id', async () => {
    const { http } = await signedInOffice(auth, 'trainee')
    const known = await stranger()
    const records: unknown[] = []
    for (const email of [known.username, `${randomUUID()}@client.test`]) {
      const { body } = await http.post<{ id: number }>('/client', newClient({ email }))
      const { Client } = (await http.get<{ Client: object }>(`/client/${body.id}`)).body
      records.push({ ...Client, id: '', email: '', created: '', modified: '' })
    }
    expect(records[0]).toEqual(records[1])
  })

  it('sets the id of the external platform for new accounts only, and only if it is free', async () => {
    const { http } = await signedInOffice(auth, 'trainee')
    const external_user_id = randomUUID()
    const first = newClient({ external_user_id })
    expect((await http.post('/client', first)).status).toBe(201)
    const known = await stranger()
    const wrong = [
      newClient({ external_user_id }),
      newClient({ email: known.username, external_user_id: randomUUID() }),
      newClient({ email: known.username, external_user_id: `SECRET-${known.id}` }),
      newClient({ email: first.Client.email, external_user_id }),
      newClient({ external_user_id: '' }),
    ]
    for (const sent of wrong) {
      const { status, body } = await http.post('/client', sent)
      expect([status, body]).toEqual([400, { status: 'error', errorMessages: { external_user_id: expect.any(String) } }])
      const { errorMessages } = (await http.post<{ errorMessages: object }>('/client', { Client: { ...sent.Client, phone: 5 } })).body
      expect(Object.keys(errorMessages).sort()).toEqual(['external_user_id', 'phone'])
    }
    expect(await auth.database.rows('SELECT email FROM clients WHERE external_user_id = $1', [external_user_id])).toEqual([
      { email: first.Client.email },
    ])
    const [{ external_user_id: kept } = {}] = await auth.database.rows('SELECT external_user_id FROM clients WHERE id = $1', [known.id])
    expect(kept).toBe(`SECRET-${known.id}`)
  })

  it('creates one account for two concurrent requests with the same id of the external platform', async () => {
    const { http } = await signedInOffice(auth, 'trainee')
    const external_user_id = randomUUID()
    const answers = await Promise.all(Array.from({ length: 8 }, () => http.post('/client', newClient({ external_user_id }))))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 7 }, () => 400)])
  })

  it('answers 409 the second time', async () => {
    const { http } = await signedInOffice(auth, 'trainee')
    const sent = newClient()
    await http.post('/client', sent)
    const known = newClient({ email: (await stranger()).username })
    await http.post('/client', known)
    for (const again of [sent, newClient({ email: sent.Client.email.toUpperCase() }), known]) {
      const { status, body } = await http.post('/client', again)
      expect([status, body]).toMatchObject([409, { errorCode: 'ALREADY_LINKED' }])
    }
  })

  it('creates one link for two concurrent requests', async () => {
    const { http } = await signedInOffice(auth, 'trainee')
    const sent = newClient()
    const answers = await Promise.all(Array.from({ length: 8 }, () => http.post('/client', sent)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 7 }, () => 409)])
  })

  it('names every invalid field', async () => {
    const { http } = await signedInOffice(auth, 'trainee')
    const wrong = { email: 'nobody', firstname: ' ', lastname: 5, phone: 'x'.repeat(41), company_name: 'x'.repeat(256), banned: 2 }
    const { status, body } = await http.post<{ errorMessages: object }>('/client', { Client: wrong })
    expect([status, Object.keys(body.errorMessages).sort()]).toEqual([400, Object.keys(wrong).sort()])
    expect((await http.post('/client', {})).body).toEqual({ status: 'error', errorMessages: { Client: 'is required' } })
  })
})

describe('GET /rest/client', () => {
  it('lists the clients of the office, filtered and sorted', async () => {
    const { office, http } = await signedInOffice(auth, 'trainee')
    await http.post('/client', newClient({ lastname: 'Zając' }))
    await http.post('/client', newClient({ lastname: 'Abel', banned: 1 }))
    const external = await auth.client(office)
    await auth.database.rows("UPDATE clients SET external_user_id = 'ext-1' WHERE id = $1", [external.id])
    const names = async (query: string) => (await http.get<Listed>(`/client${query}`)).body.map(({ Client }) => Client.lastname)
    expect(await names('?sort=lastname')).toEqual(['Abel', 'Nowak', 'Zając'])
    expect(await names('?banned=1')).toEqual(['Abel'])
    expect(await names('?external_user_id=ext-1')).toEqual(['Nowak'])
    expect(await names(`?email=${external.username}`)).toEqual(['Nowak'])
    expect(await names(`?email=${external.username.toUpperCase()}`)).toEqual(['Nowak'])
    expect((await http.get('/client?phone=1')).status).toBe(400)
  })
})

describe('PUT /rest/client/{id}', () => {
  it('changes the card of this office only, neither the account nor other cards', async () => {
    const { office, http } = await signedInOffice(auth, 'trainee')
    const other = await signedInOffice(auth, 'trainee')
    const client = await auth.client(office, other.office)
    const path = `/client/${client.id}`
    const before = await other.http.get(path)
    const etag = (await http.get(path)).headers.get('etag') ?? ''
    const changes = { firstname: 'Ewa', lastname: 'Kot', phone: '+48 1', company_name: 'Kot' }
    const ignored = { email: 'other@client.test', external_user_id: '7', id: '1', customer_id: '1' }
    expect((await http.put(path, { Client: { ...changes, ...ignored } }, { 'if-match': etag })).body).toEqual(done)
    expect((await http.get(path)).body).toMatchObject({ Client: { ...changes, email: client.username, external_user_id: null } })
    expect((await other.http.get(path)).text).toBe(before.text)
    const [account] = await auth.database.rows('SELECT firstname, lastname, phone, version FROM clients WHERE id = $1', [client.id])
    expect(account).toEqual({ firstname: 'Ada', lastname: 'Nowak', phone: null, version: 1 })
    expect((await http.put(path, { Client: changes }, { 'if-match': etag })).status).toBe(412)
    expect((await http.put(path, { Client: { firstname: '' } })).status).toBe(400)
  })

  it('compares the version with that of a concurrent change', async () => {
    const { office, http } = await signedInOffice(auth, 'trainee')
    const client = await auth.client(office)
    const path = `/client/${client.id}`
    const etag = (await http.get(path)).headers.get('etag') ?? ''
    const other = await holdTransaction(
      auth.database,
      "UPDATE client_links SET version = version + 1, company_name = 'First' WHERE user_client_id = $1",
      [client.id],
    )
    const second = http.put(path, { Client: { company_name: 'Second' } }, { 'if-match': etag })
    await untilWaiting(auth.database, 1)
    await other.commit()
    expect((await second).status).toBe(412)
    expect((await http.get(path)).body).toMatchObject({ Client: { company_name: 'First' } })
  })

  it('does not change a link that ends concurrently', async () => {
    const { office, http } = await signedInOffice(auth, 'trainee')
    const client = await auth.client(office)
    const other = await holdTransaction(auth.database, "UPDATE client_links SET state = 'ended' WHERE user_client_id = $1", [client.id])
    const late = http.put(`/client/${client.id}`, { Client: { banned: 1 } })
    await untilWaiting(auth.database, 1)
    await other.commit()
    expect((await late).status).toBe(404)
    expect(await auth.database.rows('SELECT banned FROM client_links WHERE user_client_id = $1', [client.id])).toEqual([{ banned: false }])
  })

  it('bans: the client cannot come back after they have left', async () => {
    const { office, http } = await signedInOffice(auth, 'trainee')
    const client = await auth.client(office)
    const http2 = await auth.asClient(client)
    expect((await http.put(`/client/${client.id}`, { Client: { banned: 1 } })).body).toEqual(done)
    expect((await http.get(`/client/${client.id}`)).body).toMatchObject({ Client: { banned: '1' } })
    expect((await http.delete(`/client/${client.id}`)).body).toEqual(done)
    const link = { CustomerUserLink: { customer_id: String(office.customerId) } }
    const banned = await http2.post('/customer_user_link', link)
    expect([banned.status, banned.body]).toMatchObject([403, { errorCode: 'FORBIDDEN' }])
    expect((await http.post('/client', newClient({ email: client.username, banned: 0 }))).status).toBe(201)
    expect((await http2.post('/customer_user_link', link)).status).toBe(201)
  })
})

describe('DELETE /rest/client/{id}', () => {
  it('ends the link, but neither the account nor other links', async () => {
    const { office, http } = await signedInOffice(auth, 'trainee')
    const other = await signedInOffice(auth, 'trainee')
    const client = await auth.client(office, other.office)
    expect((await http.delete(`/client/${client.id}`, { 'if-match': '"9"' })).status).toBe(412)
    expect((await http.delete(`/client/${client.id}`)).body).toEqual(done)
    const gone = [
      await http.get(`/client/${client.id}`),
      await http.delete(`/client/${client.id}`),
      await http.put(`/client/${client.id}`, newClient()),
    ]
    expect(gone.map(({ status }) => status)).toEqual([404, 404, 404])
    expect((await http.get<Listed>('/client')).body).toEqual([])
    expect((await other.http.get(`/client/${client.id}`)).status).toBe(200)
    await auth.signIn(client, 'client')
  })
})
