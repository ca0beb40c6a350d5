import { randomUUID } from 'node:crypto'
import { eventually, type HttpAnswer, httpClient } from '@caseway/testing'
import { holdTransaction } from '@caseway/testing/held-transaction'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { clientUrl, expertUrl, type Person, randomAddress } from '../support/auth.js'
import { linkOf, type MailedAuth, startMailedAuth } from '../support/mail-server.js'
import { secondFactors } from '../support/second-factor.js'

let auth: MailedAuth
beforeAll(async () => {
  auth = await startMailedAuth()
})
afterAll(() => auth.stop())

type Address = 'expert' | 'client'
const addresses = ['expert', 'client'] as const

const fromAnywhere = () => ({ 'x-forwarded-for': randomAddress() })
const ask = (address: Address, email: unknown) => auth.http(address).post('/password_reset', { email }, fromAnywhere())
const set = (address: Address, token: string, password: unknown) =>
  auth.http(address).post(`/password_reset/${token}`, { password }, fromAnywhere())

/** A person who signs in on an address, of an office that the test keeps. */
async function somebody(address: Address): Promise<Person> {
  const office = await auth.office()
  return address === 'expert' ? office.trainee : auth.client(office)
}
const tokenFor = async (address: Address, { username }: Person, count = 1): Promise<string> => {
  expect((await ask(address, username)).status).toBe(200)
  return linkOf((await auth.mailsTo(username, count)).at(-1)).token
}
/** Waits until every queued mail is sent, or never will be. */
const noJobs = () => {
  const unfinished = "SELECT FROM kit.job WHERE name = 'auth.account-mail' AND state <> 'done'"
  return eventually(async () => expect(await auth.database.rows(unfinished)).toHaveLength(0), { timeoutMs: 20_000 })
}
const fresh = () => `a password ${randomUUID()}`
const seen = ({ status, body }: HttpAnswer<unknown>) => [status, body]
const ok = [200, { status: 'OK' }]
const notGood = [400, { status: 'error', errorMessages: { token: 'is not valid, has expired or was used already' } }]

describe.each(addresses)('a lost password, on the address of %ss', (address) => {
  it('is reset by the link of a mail, once, which ends all sessions', async () => {
    const person = await somebody(address)
    const session = await auth.signIn(person, address)
    expect(seen(await ask(address, person.username.toUpperCase()))).toEqual(ok)
    const { url, topic, token } = linkOf((await auth.mailsTo(person.username))[0])
    expect([url, topic]).toEqual([`${address === 'expert' ? expertUrl : clientUrl}/#/password_reset/${token}`, 'password_reset'])
    const password = fresh()
    expect(seen(await set(address, token, password))).toEqual(ok)
    expect(seen(await set(address, token, fresh()))).toEqual(notGood)
    await auth.signIn({ ...person, password }, address)
    await expect(auth.signIn(person, address)).rejects.toThrow('invalid_grant')
    const refresh = { grant_type: 'refresh_token', client_id: auth.clientId, refresh_token: session.refresh_token }
    expect((await auth.token(refresh, address)).status).toBe(400)
  })

  it('does not affect the second factor when it is reset', async () => {
    const person = await somebody(address)
    const { setUp, signIn } = secondFactors(() => auth)
    const { codes } = await setUp(await (address === 'expert' ? auth.asExpert(person) : auth.asClient(person)), person, address)
    const changed = { ...person, password: fresh() }
    expect(seen(await set(address, await tokenFor(address, person), changed.password))).toEqual(ok)
    expect((await signIn(changed, undefined, address)).body.errorCode).toBe('SECOND_FACTOR_REQUIRED')
    expect((await signIn(changed, codes[0], address)).status).toBe(200)
  })

  it('has a link that is stored as a hash of its token, for an hour', async () => {
    const person = await somebody(address)
    const token = await tokenFor(address, person)
    const [row] = await auth.database.rows<{ hash: string; minutes: number }>(
      `SELECT encode(hash, 'escape') AS hash, round(extract(epoch FROM expires - created) / 60)::int AS minutes, mailed_links::text
       FROM mailed_links WHERE user_id = $1 AND kind = $2`,
      [person.id, address === 'expert' ? 'employee' : 'client'],
    )
    expect(row?.minutes).toBe(60)
    const jobs = await auth.database.rows<{ payload: string }>('SELECT job::text AS payload FROM kit.job AS job')
    expect(JSON.stringify([row, jobs])).not.toContain(token)
  })

  it('is set by one of fifty concurrent requests', async () => {
    const person = await somebody(address)
    const token = await tokenFor(address, person)
    const passwords = Array.from({ length: 50 }, fresh)
    const answers = await Promise.all(passwords.map((password) => set(address, token, password)))
    const winners = passwords.filter((_, index) => answers[index]?.status === 200)
    expect(winners).toHaveLength(1)
    await auth.signIn({ ...person, password: winners[0] ?? '' }, address)
  })

  it('is not set by a link of the other address, with another purpose, or an unknown one', async () => {
    const person = await somebody(address)
    const token = await tokenFor(address, person)
    expect(seen(await set(address === 'expert' ? 'client' : 'expert', token, fresh()))).toEqual(notGood)
    expect(seen(await auth.http(address).post(`/invitation/${token}`, { password: fresh() }, fromAnywhere()))).toEqual(notGood)
    for (const guess of ['x', token.toLowerCase(), token.slice(0, 21), `${token}A`]) {
      expect(seen(await set(address, guess, fresh()))).toEqual(notGood)
    }
    expect(seen(await set(address, token, fresh()))).toEqual(ok)
  })

  it('is not set by a link that has expired', async () => {
    const person = await somebody(address)
    const token = await tokenFor(address, person)
    await auth.database.rows('UPDATE mailed_links SET expires = now() WHERE user_id = $1', [person.id])
    expect(seen(await set(address, token, fresh()))).toEqual(notGood)
  })

  it('can be set by the same link after the new one was refused', async () => {
    const person = await somebody(address)
    const token = await tokenFor(address, person)
    const refused = (text: string) => [400, { status: 'error', errorMessages: { password: text } }]
    expect(seen(await set(address, token, 'qwertyuiop'))).toEqual(refused('must not be one of the 100,000 most common passwords'))
    expect(seen(await set(address, token, 'short'))).toEqual(refused('must be at least 10 characters'))
    expect(seen(await set(address, token, undefined))).toEqual(refused('is required'))
    expect(seen(await set(address, token, fresh()))).toEqual(ok)
  })

  it('may have many links, all valid until one is used', async () => {
    const person = await somebody(address)
    const [first, second] = [await tokenFor(address, person), await tokenFor(address, person, 2)]
    expect(first).not.toBe(second)
    expect(seen(await set(address, first, fresh()))).toEqual(ok)
    expect(seen(await set(address, second, fresh()))).toEqual(notGood)
  })

  it('is recorded when it is set, with the purpose of the link', async () => {
    const person = await somebody(address)
    expect((await set(address, await tokenFor(address, person), fresh())).status).toBe(200)
    const subject = `${address === 'expert' ? 'employee' : 'client'}:${person.id}`
    const rows = await auth.database.rows(
      "SELECT actor, customer_id IS NULL AS platform, details FROM audit_events WHERE kind = 'password.changed' AND subject = $1",
      [subject],
    )
    expect(rows).toEqual([{ actor: subject, platform: address === 'client', details: { reason: 'password_reset' } }])
  })
})

describe('a link', () => {
  it('is invalid after the password was changed otherwise', async () => {
    const { trainee, administrator } = await auth.office()
    const token = await tokenFor('expert', trainee)
    const http = await auth.asExpert(administrator)
    expect((await http.put(`/user/${trainee.id}`, { User: { password: fresh() } })).status).toBe(200)
    expect(seen(await set('expert', token, fresh()))).toEqual(notGood)
  })

  it('is invalid after the address was changed', async () => {
    const { trainee, administrator } = await auth.office()
    const token = await tokenFor('expert', trainee)
    const http = await auth.asExpert(administrator)
    expect((await http.put(`/user/${trainee.id}`, { User: { email: `${randomUUID()}@office.test` } })).status).toBe(200)
    expect(seen(await set('expert', token, fresh()))).toEqual(notGood)
  })

  it('is invalid while the employee is not active', async () => {
    const { trainee, administrator } = await auth.office()
    const token = await tokenFor('expert', trainee)
    const http = await auth.asExpert(administrator)
    expect((await http.delete(`/user/${trainee.id}`)).status).toBe(200)
    expect(seen(await set('expert', token, fresh()))).toEqual(notGood)
  })

  it('ignores an access token', async () => {
    const person = await somebody('expert')
    const { status } = await auth.http('expert', 'no token').post('/password_reset', { email: person.username }, fromAnywhere())
    expect(status).toBe(200)
    await auth.mailsTo(person.username)
  })
})

describe('a request for a link', () => {
  it('gets the same answer for an active, an inactive, a banned and an unknown person', async () => {
    const office = await auth.office()
    const http = await auth.asExpert(office.administrator)
    const client = await auth.client(office)
    await http.delete(`/user/${office.specialist.id}`)
    await http.put(`/client/${client.id}`, { Client: { banned: 1 } })
    const addressees = [office.trainee, office.specialist, client, { username: `${randomUUID()}@nobody.test` }]
    for (const { username } of addressees) for (const address of addresses) expect(seen(await ask(address, username))).toEqual(ok)
    await auth.mailsTo(office.trainee.username)
    // A ban belongs to one office; the account can still be reset.
    await auth.mailsTo(client.username)
    await noJobs()
    for (const nobody of [office.specialist, addressees[3]]) await auth.mailsTo(nobody?.username ?? '', 0)
  })

  it('reads no account, so that its duration reveals nothing: it is answered while the tables are locked', async () => {
    const { trainee } = await auth.office()
    const held = await holdTransaction(auth.database, 'LOCK TABLE users, clients IN ACCESS EXCLUSIVE MODE')
    for (const username of [trainee.username, `${randomUUID()}@nobody.test`]) expect(seen(await ask('expert', username))).toEqual(ok)
    await held.commit()
    await auth.mailsTo(trainee.username)
  })

  it('refuses an invalid address', async () => {
    for (const email of ['nobody', '', 5, null, 'a@b.test\r\nBcc: c@d.test']) {
      expect(seen(await ask('expert', email))).toMatchObject([400, { errorMessages: { email: expect.any(String) } }])
    }
    expect(seen(await auth.http('expert').post('/password_reset', '[]', { 'content-type': 'application/json' }))).toMatchObject([
      400,
      { errorMessages: { body: 'is required' } },
    ])
  })
})

describe('limits', () => {
  it('allow 100 requests from one address in 15 minutes, over all copies', async () => {
    const from = { 'x-forwarded-for': randomAddress() }
    const copy = httpClient(`${(await auth.copy()).httpUrl}/expert/rest`)
    const one = (turn: number) => (turn % 2 ? copy : auth.http('expert')).post(`/invitation/${turn}`, { password: fresh() }, from)
    const statuses: number[] = []
    for (let turn = 0; turn < 120; turn += 20) {
      const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => one(turn + index)))
      statuses.push(...answers.map(({ status }) => status))
    }
    expect(statuses.filter((status) => status === 400)).toHaveLength(100)
    expect(statuses.filter((status) => status === 429)).toHaveLength(20)
    const refused = await auth.http('client').post('/password_reset', { email: 'a@b.test' }, from)
    expect([refused.status, Number(refused.headers.get('retry-after')) > 800]).toEqual([429, true])
  })

  it('allow five mails to one address in an hour, of a thousand concurrent requests', async () => {
    const person = await somebody('expert')
    for (let i = 0; i < 10; i++) {
      const answers = await Promise.all(Array.from({ length: 100 }, () => ask('expert', person.username)))
      expect(answers.filter(({ status }) => status !== 200)).toEqual([])
    }
    await noJobs()
    const sent = auth.server.mails.filter(({ to }) => [to ?? []].flat()[0]?.text === person.username)
    expect(sent.length).toBeGreaterThanOrEqual(1)
    expect(sent.length).toBeLessThanOrEqual(5)
  })
})
