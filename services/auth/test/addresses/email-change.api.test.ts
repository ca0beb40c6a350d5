import { randomUUID } from 'node:crypto'
import { clientTopic, linkTopic, userTopic } from '@caseway/protos/topics'
import type { HttpAnswer, HttpClient } from '@caseway/testing'
import { holdTransaction, untilWaiting } from '@caseway/testing/held-transaction'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Office, type Person, randomAddress } from '../support/auth.js'
import { linkOf, type MailedAuth, startMailedAuth } from '../support/mail-server.js'

let auth: MailedAuth
beforeAll(async () => {
  auth = await startMailedAuth()
})
afterAll(() => auth.stop())

type Address = 'expert' | 'client'
const someone = () => `${randomUUID()}@other.test`
const confirm = (address: Address, token: string) =>
  auth.http(address).post(`/email_confirmation/${token}`, undefined, { 'x-forwarded-for': randomAddress() })
const seen = ({ status, body }: HttpAnswer<unknown>) => [status, body]
const ok = [200, { status: 'OK' }]
const refused = (errorMessages: object) => [400, { status: 'error', errorMessages }]
const notGood = refused({ token: 'is not valid, has expired or was used already' })

const signIn = (address: Address, person: Person) => (address === 'expert' ? auth.asExpert(person) : auth.asClient(person))
const path = { expert: '/user/me', client: '/client/me' }
const wrapper = { expert: 'User', client: 'Client' }
async function somebody(address: Address): Promise<{ office: Office; person: Person; http: HttpClient }> {
  const office = await auth.office()
  const person = address === 'expert' ? office.trainee : await auth.client(office)
  return { office, person, http: await signIn(address, person) }
}
const wants = (address: Address, http: HttpClient, email: string, { password }: Person, more: object = {}) =>
  http.put(path[address], { [wrapper[address]]: { email, current_password: password, ...more } })
const emailOf = async (address: Address, http: HttpClient) =>
  (await http.get<Record<string, { email: string }>>(path[address])).body[wrapper[address]]?.email
const tokenTo = async (email: string) => linkOf((await auth.mailsTo(email))[0]).token

describe.each(['expert', 'client'] as const)('a new address, of the person on the address of %ss', (address) => {
  it('replaces the old one when it is confirmed, ends the sessions and notifies the old one', async () => {
    const { person, http } = await somebody(address)
    const email = someone()
    expect(seen(await wants(address, http, email, person))).toEqual(ok)
    const { topic, token } = linkOf((await auth.mailsTo(email))[0])
    expect([topic, await emailOf(address, http)]).toEqual(['email_confirmation', person.username])
    await auth.mailsTo(person.username, 0)
    const session = await auth.signIn(person, address)
    expect(seen(await confirm(address, token))).toEqual(ok)
    const [notice] = await auth.mailsTo(person.username)
    expect(`${notice?.subject} ${notice?.text} ${notice?.html}`).not.toContain(email)
    await expect(auth.signIn(person, address)).rejects.toThrow('invalid_grant')
    const refresh = { grant_type: 'refresh_token', client_id: auth.clientId, refresh_token: session.refresh_token }
    expect((await auth.token(refresh, address)).status).toBe(400)
    expect(await emailOf(address, await signIn(address, { ...person, username: email }))).toBe(email)
    expect(seen(await confirm(address, token))).toEqual(notGood)
  })

  it('requires the current password', async () => {
    const { person, http } = await somebody(address)
    const put = (sent: object) => http.put(path[address], { [wrapper[address]]: { email: someone(), ...sent } })
    expect(seen(await put({}))).toEqual(refused({ current_password: 'is required' }))
    expect(seen(await put({ current_password: 'a wrong password' }))).toEqual(refused({ current_password: 'is incorrect' }))
    const none = await put({ email: 'nobody', current_password: person.password })
    expect(seen(none)).toEqual(refused({ email: 'must be a valid e-mail address' }))
    expect(seen(await put({ email: person.username }))).toEqual(ok)
    const jobs = await auth.database.rows(
      "SELECT FROM kit.job WHERE payload ->> 'about' = 'email_confirmation' AND payload ->> 'id' = $1 AND payload ->> 'kind' = $2",
      [String(person.id), address === 'expert' ? 'employee' : 'client'],
    )
    expect(jobs).toEqual([])
  })

  it('may be sent together with a new password', async () => {
    const { person, http } = await somebody(address)
    const email = someone()
    expect(seen(await wants(address, http, email, person, { password: 'another password' }))).toEqual(ok)
    expect(seen(await confirm(address, await tokenTo(email)))).toEqual(ok)
    await auth.signIn({ username: email, password: 'another password' }, address)
  })

  it('gets no mail if somebody has it, and the answer does not reveal it', async () => {
    const { person, http } = await somebody(address)
    const { person: other } = await somebody(address)
    expect(seen(await wants(address, http, other.username, person))).toEqual(ok)
    const last = someone()
    expect(seen(await wants(address, http, last, person))).toEqual(ok)
    await auth.mailsTo(last)
    await auth.mailsTo(other.username, 0)
  })

  it('belongs to one of two persons who confirm it concurrently', async () => {
    const [first, second] = [await somebody(address), await somebody(address)]
    const email = someone()
    for (const { person, http } of [first, second]) expect((await wants(address, http, email, person)).status).toBe(200)
    const tokens = (await auth.mailsTo(email, 2)).map((mail) => linkOf(mail).token)
    const table = address === 'expert' ? 'users' : 'clients'
    const ids = [first.person.id, second.person.id]
    const held = await holdTransaction(auth.database, `SELECT FROM ${table} WHERE id = ANY ($1) FOR UPDATE`, [ids])
    const answers = Promise.all(tokens.map((token) => confirm(address, token)))
    await untilWaiting(auth.database, 2)
    await held.commit()
    expect((await answers).map(seen).sort()).toEqual([ok, refused({ email: 'is already used' })].sort())
    expect(await auth.database.rows(`SELECT FROM ${table} WHERE email = $1`, [email])).toHaveLength(1)
  })

  it('cannot be confirmed after a change of the password, nor on the other address', async () => {
    const { person, http } = await somebody(address)
    const email = someone()
    expect((await wants(address, http, email, person)).status).toBe(200)
    const token = await tokenTo(email)
    expect(seen(await confirm(address === 'expert' ? 'client' : 'expert', token))).toEqual(notGood)
    const kind = address === 'expert' ? 'employee' : 'client'
    await auth.service.administration.setPassword({ kind, id: person.id }, 'another password')
    expect(seen(await confirm(address, token))).toEqual(notGood)
  })

  it('is recorded when it is confirmed', async () => {
    const { office, person, http } = await somebody(address)
    const email = someone()
    await wants(address, http, email, person)
    expect((await confirm(address, await tokenTo(email))).status).toBe(200)
    const subject = `${address === 'expert' ? 'employee' : 'client'}:${person.id}`
    const rows = await auth.database.rows(
      "SELECT kind, actor, customer_id::text, details FROM audit_events WHERE subject = $1 AND details ->> 'fields' = 'email'",
      [subject],
    )
    const [kind, customer_id] = address === 'expert' ? ['user.changed', String(office.customerId)] : ['client.changed', null]
    expect(rows).toEqual([{ kind, actor: subject, customer_id, details: { fields: 'email' } }])
  })
})

it('a new address is published, of an employee, of a client, and with each active link of the client', async () => {
  const { person, http, office } = await somebody('expert')
  const [email, other] = [someone(), someone()]
  await wants('expert', http, email, person)
  await confirm('expert', await tokenTo(email))
  const users = (await auth.published(userTopic)).filter(({ event }) => event.id === person.id).map(({ event }) => event)
  expect(users.at(-1)).toMatchObject({ email, revision: (users.at(-2)?.revision ?? 0n) + 1n })

  const [second, ended] = [await auth.office(), await auth.office()]
  const client = await auth.client(office, second, ended)
  await (await auth.asExpert(ended.administrator)).delete(`/client/${client.id}`)
  await wants('client', await auth.asClient(client), other, client)
  await confirm('client', await tokenTo(other))
  expect((await auth.published(clientTopic)).filter(({ event }) => event.id === client.id).at(-1)?.event.email).toBe(other)
  const links = (await auth.published(linkTopic)).filter(({ event }) => event.clientId === client.id).map(({ event }) => event)
  const last = [office, second, ended].map(({ customerId }) => links.filter((link) => link.customerId === customerId).at(-1))
  expect(last.map((link) => [link?.email, link?.revision])).toEqual([
    [other, 2n],
    [other, 2n],
    [client.username, 2n],
  ])
})

it('an address that an administrator sets is effective at once, and the old one is notified', async () => {
  const { administrator, trainee } = await auth.office()
  const email = someone()
  expect((await (await auth.asExpert(administrator)).put(`/user/${trainee.id}`, { User: { email } })).status).toBe(200)
  await auth.signIn({ ...trainee, username: email })
  expect((await auth.mailsTo(trainee.username))[0]?.subject).toBe('Adres do logowania został zmieniony')
  await auth.mailsTo(email, 0)
})
