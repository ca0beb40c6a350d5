import { randomUUID } from 'node:crypto'
import { eventually, type HttpAnswer, type HttpClient } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { clientUrl, expertUrl, type Office, randomAddress } from '../support/auth.js'
import { linkOf, type MailedAuth, startMailedAuth } from '../support/mail-server.js'

let auth: MailedAuth
beforeAll(async () => {
  auth = await startMailedAuth({ AUTH_CLIENT_PAGES_URL: 'https://clients.test/portal/' })
})
afterAll(() => auth.stop())

type Address = 'expert' | 'client'
const someone = () => `${randomUUID()}@invited.test`
const fresh = () => `a password ${randomUUID()}`
const fromAnywhere = () => ({ 'x-forwarded-for': randomAddress() })
const accept = (address: Address, token: string, password: string) =>
  auth.http(address).post(`/invitation/${token}`, { password }, fromAnywhere())
const askAgain = (address: Address, email: string) => auth.http(address).post('/password_reset', { email }, fromAnywhere())
const seen = ({ status, body }: HttpAnswer<unknown>) => [status, body]
const notGood = [400, { status: 'error', errorMessages: { token: 'is not valid, has expired or was used already' } }]

async function here(language = 'en'): Promise<{ office: Office; http: HttpClient; name: string }> {
  const office = await auth.office()
  const http = await auth.asExpert(office.administrator)
  const name = `Office ${office.customerId}`
  expect((await http.put('/customer/me', { Customer: { name, language } })).status).toBe(200)
  return { office, http, name }
}
const names = { firstname: 'Eva', lastname: 'Secret' }
const employ = (http: HttpClient, email: string, more: object = {}) =>
  http.post<{ id: number }>('/user', { User: { email, ...names, ...more } })
const enter = (http: HttpClient, email: string) => http.post<{ id: number }>('/client', { Client: { email, ...names } })

describe('an employee who is entered without a password', () => {
  it('is invited, sets one, and signs in', async () => {
    const { http, name } = await here()
    const email = someone()
    expect((await employ(http, email)).status).toBe(201)
    const [mail] = await auth.mailsTo(email)
    const { url, topic, token } = linkOf(mail)
    expect([url, topic, mail?.subject]).toEqual([`${expertUrl}/#/invitation/${token}`, 'invitation', `Invitation from ${name}`])
    const password = fresh()
    expect((await accept('expert', token, password)).status).toBe(200)
    expect(seen(await accept('expert', token, fresh()))).toEqual(notGood)
    await auth.signIn({ username: email, password })
  })

  it('is invited for seven days, in the language of the office, by a mail without personal data', async () => {
    const { http, name } = await here('pl')
    const email = someone()
    const { body } = await employ(http, email)
    const [mail] = await auth.mailsTo(email)
    expect([mail?.subject, mail?.text]).toEqual([`Zaproszenie: ${name}`, expect.stringContaining('Ustaw hasło')])
    expect(`${mail?.text} ${mail?.html}`).not.toMatch(/Eva|Secret/)
    const [row] = await auth.database.rows(
      'SELECT round(extract(epoch FROM expires - created) / 3600)::int AS hours FROM mailed_links WHERE user_id = $1',
      [body.id],
    )
    expect(row).toEqual({ hours: 168 })
  })

  it('gets the invitation again when a lost password is reported, and each link is valid until one is used', async () => {
    const { http } = await here()
    const email = someone()
    await employ(http, email)
    await auth.mailsTo(email)
    expect((await askAgain('expert', email)).status).toBe(200)
    const [first, second] = (await auth.mailsTo(email, 2)).map(linkOf)
    expect(second?.topic).toBe('invitation')
    expect((await accept('expert', second?.token ?? '', fresh())).status).toBe(200)
    expect(seen(await accept('expert', first?.token ?? '', fresh()))).toEqual(notGood)
  })

  it('cannot use the invitation once the office has set a password or deactivated them', async () => {
    const { http } = await here()
    for (const change of [{ password: 'a password of the office' }, { active: 0 }]) {
      const email = someone()
      const { body } = await employ(http, email)
      const { token } = linkOf((await auth.mailsTo(email))[0])
      expect((await http.put(`/user/${body.id}`, { User: change })).status).toBe(200)
      expect(seen(await accept('expert', token, fresh()))).toEqual(notGood)
    }
  })

  it('is invited at the new address when theirs is corrected, without a mail to the old one', async () => {
    const { http } = await here()
    const [wrong, email] = [someone(), someone()]
    const { body } = await employ(http, wrong)
    const { token } = linkOf((await auth.mailsTo(wrong))[0])
    expect((await http.put(`/user/${body.id}`, { User: { email } })).status).toBe(200)
    expect(seen(await accept('expert', token, fresh()))).toEqual(notGood)
    const password = fresh()
    expect((await accept('expert', linkOf((await auth.mailsTo(email))[0]).token, password)).status).toBe(200)
    await auth.signIn({ username: email, password })
    await auth.mailsTo(wrong, 1)
  })

  it('is invited when they are activated later', async () => {
    const { http } = await here()
    const email = someone()
    const { body } = await employ(http, email, { active: 0 })
    expect(await auth.database.rows("SELECT FROM kit.job WHERE payload ->> 'id' = $1", [String(body.id)])).toEqual([])
    expect((await http.put(`/user/${body.id}`, { User: { active: 1 } })).status).toBe(200)
    expect(linkOf((await auth.mailsTo(email))[0]).topic).toBe('invitation')
    expect((await http.put(`/user/${body.id}`, { User: { active: 1, lastname: 'Kot' } })).status).toBe(200)
    await auth.mailsTo(email, 1)
  })

  it('is not invited when they have a password, or the request was refused', async () => {
    const { office, http } = await here()
    const email = someone()
    expect((await employ(http, email, { password: 'a password of the office' })).status).toBe(201)
    const refused = await employ(http, office.trainee.username)
    expect(refused.status).toBe(400)
    const jobs = await auth.database.rows("SELECT FROM kit.job WHERE payload ->> 'customerId' = $1", [String(office.customerId)])
    expect(jobs).toEqual([])
  })
})

const unsent = "SELECT FROM kit.job WHERE payload ->> 'kind' = 'client' AND payload ->> 'id' = $1 AND state <> 'done'"
const allIsSent = (id: number) => eventually(async () => expect(await auth.database.rows(unsent, [String(id)])).toEqual([]))

describe('a client who is entered', () => {
  it('is invited to set a password when the address is new', async () => {
    const { http } = await here()
    const email = someone()
    expect((await enter(http, email)).status).toBe(201)
    const { url, token } = linkOf((await auth.mailsTo(email))[0])
    expect(url).toBe(`https://clients.test/portal/#/invitation/${token}`)
    expect(seen(await accept('expert', token, fresh()))).toEqual(notGood)
    const password = fresh()
    expect((await accept('client', token, password)).status).toBe(200)
    const asClient = await auth.asClient({ username: email, password })
    // The names stay on the card until the person confirms theirs.
    expect((await asClient.get('/client/me')).body).toMatchObject({ Client: { email, firstname: '', lastname: '' } })
  })

  it('is also invited when only the address is entered', async () => {
    const { http } = await here()
    const email = someone()
    expect((await http.post('/customer_user_link/client', { CustomerUserLink: { email } })).status).toBe(201)
    expect(linkOf((await auth.mailsTo(email))[0]).topic).toBe('invitation')
  })

  it('is not invited by an office that bans them, until it lifts the ban', async () => {
    const [first, second] = [await here(), await here()]
    const [email, { username }] = [someone(), await auth.client(second.office)]
    for (const address of [email, username]) {
      const { body } = await first.http.post<{ id: number }>('/client', { Client: { email: address, ...names, banned: 1 } })
      for (const banned of [1, 0, 0]) {
        expect((await first.http.put(`/client/${body.id}`, { Client: { banned, firstname: 'Ola' } })).status).toBe(200)
        await allIsSent(body.id)
        await auth.mailsTo(address, 1 - banned)
      }
    }
  })

  it('keeps an existing password: they sign in and accept, and nothing is visible before', async () => {
    const [first, second] = [await here(), await here()]
    const client = await auth.client(first.office)
    const { status, body } = await enter(second.http, client.username)
    expect(status).toBe(201)
    const [mail] = await auth.mailsTo(client.username)
    expect([mail?.subject, mail?.text]).toEqual([
      `Invitation from ${second.name}`,
      expect.stringContaining('https://clients.test/portal/\n'),
    ])
    expect(`${mail?.text} ${mail?.html}`).not.toMatch(/invitation\/|Ada|Eva/)
    expect((await second.http.get(`/client/${body.id}`)).body).toMatchObject({ Client: { external_user_id: null } })
    const asClient = await auth.asClient(client)
    expect((await asClient.get<{ results: unknown[] }>('/customer_user_link')).body.results).toHaveLength(1)
    const accepted = await asClient.post('/customer_user_link', { CustomerUserLink: { customer_id: String(second.office.customerId) } })
    expect(accepted.status).toBe(201)
  })

  it('without a password is invited by a second office too, in its language and with its name', async () => {
    const [first, second] = [await here(), await here('pl')]
    const email = someone()
    await enter(first.http, email)
    await auth.mailsTo(email)
    await enter(second.http, email)
    const mails = await auth.mailsTo(email, 2)
    expect(mails.map(({ subject }) => subject)).toEqual([`Invitation from ${first.name}`, `Zaproszenie: ${second.name}`])
    expect((await accept('client', linkOf(mails[1]).token, fresh())).status).toBe(200)
    expect(seen(await accept('client', linkOf(mails[0]).token, fresh()))).toEqual(notGood)
  })
})

describe('a client without a password whom more offices invite', () => {
  /** A client whom the first of three offices has entered and the others have invited, with the mail of the second. */
  async function invited() {
    const [first, second, third] = [await here(), await here(), await here()]
    const email = someone()
    const { id } = (await enter(first.http, email)).body
    for (const { http } of [second, third]) expect((await enter(http, email)).status).toBe(201)
    const mail = (await auth.mailsTo(email, 3)).find(({ subject }) => subject === `Invitation from ${second.name}`)
    return { first, second, third, email, id, token: linkOf(mail).token }
  }
  const offices = async (person: { username: string; password: string }) => {
    const { body } = await (await auth.asClient(person)).get<{ results: { CustomerCompany: { name: string } }[] }>('/customer_user_link')
    return body.results.map(({ CustomerCompany }) => CustomerCompany.name)
  }

  it('accepts the invitation by whose link the password is set, with its names, and no other', async () => {
    const { first, second, email, id, token } = await invited()
    const person = { username: email, password: fresh() }
    expect((await accept('client', token, person.password)).status).toBe(200)
    expect(await offices(person)).toEqual([first.name, second.name])
    expect((await (await auth.asClient(person)).get('/client/me')).body).toMatchObject({ Client: names })
    const { body } = await second.http.get<{ AuditEvent: object }[]>('/audit_event?kind=link.changed&sort=-id&limit=1')
    const actor = `client:${id}`
    expect(body).toMatchObject([{ AuditEvent: { actor, subject: actor, details: expect.stringContaining('"active"') } }])
  })

  it('can set the password after that office has withdrawn its invitation or banned them, without accepting any', async () => {
    for (const change of [
      (http: HttpClient, path: string) => http.delete(path),
      (http: HttpClient, path: string) => http.put(path, { Client: { banned: 1 } }),
    ]) {
      const { first, second, email, id, token } = await invited()
      expect((await change(second.http, `/client/${id}`)).status).toBe(200)
      const person = { username: email, password: fresh() }
      expect((await accept('client', token, person.password)).status).toBe(200)
      // A banning office is not listed in any case.
      await second.http.put(`/client/${id}`, { Client: { banned: 0 } })
      expect(await offices(person)).toEqual([first.name])
    }
  })
})

it('the name of an office is escaped in mails', async () => {
  const { http } = await here()
  await http.put('/customer/me', { Customer: { name: '<script>alert(1)</script>' } })
  const email = someone()
  await employ(http, email)
  const [mail] = await auth.mailsTo(email)
  expect(mail?.subject).toBe('Invitation from <script>alert(1)</script>')
  expect(mail?.html).not.toContain('<script')
})

it('links lead to the base URL of the address by default', async () => {
  const other = await startMailedAuth()
  const office = await other.office()
  const email = someone()
  await (await other.asExpert(office.administrator)).post('/client', { Client: { email, ...names } })
  expect(linkOf((await other.mailsTo(email))[0]).url).toMatch(`${clientUrl}/#/invitation/`)
  await other.stop()
})
