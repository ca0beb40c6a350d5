import { randomUUID } from 'node:crypto'
import { clientTopic, linkTopic, userTopic } from '@caseway/protos/topics'
import { eventually, randomId } from '@caseway/testing'
import { status } from '@grpc/grpc-js'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Office, Person } from '../support/auth.js'
import { type ClientDataPlatform, type Known, someone, startClientData } from '../support/client-data.js'
import { linkOf } from '../support/mail-server.js'

let data: ClientDataPlatform
let auth: ClientDataPlatform['auth']
beforeAll(async () => {
  data = await startClientData()
  auth = data.auth
})
afterAll(() => data.stop())

const refusedWith = (code: status, details: unknown = expect.anything()) => expect.objectContaining({ code, details })
const notFound = refusedWith(status.NOT_FOUND, 'There is no such client.')

describe('a client of the external platform', () => {
  it('is found by its id there', async () => {
    const { id, external, username } = await data.known()
    const found = { client_id: String(id), email: username, firstname: 'Ada', lastname: 'Nowak', company_name: '' }
    expect((await data.get(external)).data).toEqual(found)
    await expect(data.get(randomUUID())).rejects.toEqual(notFound)
  })

  it('is not found when every office has banned them or ended the link', async () => {
    const client = await data.known(await auth.office(), await auth.office())
    const offices = await auth.database.rows<{ customer_id: string }>(
      'SELECT customer_id::text FROM client_links WHERE user_client_id = $1 ORDER BY id',
      [client.id],
    )
    const end = (at: number, what: string) =>
      auth.database.rows(`UPDATE client_links SET ${what} WHERE user_client_id = $1 AND customer_id = $2`, [
        client.id,
        offices[at]?.customer_id,
      ])
    await end(0, 'banned = true')
    expect((await data.get(client.external)).data).toMatchObject({ client_id: String(client.id) })
    await end(1, "state = 'ended'")
    await expect(data.get(client.external)).rejects.toEqual(notFound)
    await expect(data.reserve(client.external, { firstname: 'Eva' })).rejects.toEqual(notFound)
  })
})

describe('a change', () => {
  it('is applied to the account once, with its events and its entry in the audit trail', async () => {
    const [first, second] = [await auth.office(), await auth.office()]
    const client = await data.known(first, second)
    const [id, email] = [randomUUID(), someone()]
    const wanted = { email, firstname: 'Ada', lastname: 'Lis', company_name: 'Lis Ltd' }
    const reserved = await data.reserve(client.external, wanted, id)
    const { firstname: _, ...changes } = wanted
    expect(reserved).toEqual({
      data: { client_id: String(client.id), email: client.username, firstname: 'Ada', lastname: 'Nowak', company_name: '' },
      // For each optional field the gRPC library adds a property that says that it is set.
      changes: { ...changes, _email: 'email', _lastname: 'lastname', _company_name: 'company_name' },
    })
    expect(await data.reserve(client.external, wanted, id)).toEqual(reserved)
    expect(await data.accountOf(client)).toMatchObject({ email: client.username, lastname: 'Nowak' })
    const attached = { customer_ids: [String(first.customerId), String(second.customerId)] }
    expect(await data.apply(id, changes)).toEqual(attached)
    expect(await data.apply(id, changes)).toEqual(attached)
    expect(await data.accountOf(client)).toEqual({ email, firstname: 'Ada', lastname: 'Lis', company_name: 'Lis Ltd' })

    const ofClient = (await auth.published(clientTopic)).map(({ event }) => event).filter((event) => event.id === client.id)
    expect(ofClient.at(-1)).toMatchObject({ email, lastname: 'Lis', revision: BigInt(ofClient.length) })
    const links = (await auth.published(linkTopic)).map(({ event }) => event).filter((event) => event.clientId === client.id)
    expect(links.slice(-2).map((link) => link.email)).toEqual([email, email])
    const entries = await auth.database.rows("SELECT actor, details FROM audit_events WHERE subject = $1 AND actor LIKE 'application:%'", [
      `client:${client.id}`,
    ])
    expect(entries).toEqual([{ actor: 'application:7', details: { fields: 'email lastname company_name' } }])
  })

  it('of one name keeps the other one, even if it is only on the cards', async () => {
    const client = await data.known()
    await auth.database.rows("UPDATE clients SET firstname = '', lastname = '', names_confirmed = NULL WHERE id = $1", [client.id])
    await data.change(client.external, { firstname: 'Eva' })
    expect(await data.accountOf(client)).toMatchObject({ firstname: 'Eva', lastname: 'Nowak' })
  })

  it('of the address ends the sessions and notifies the old address', async () => {
    const client = await data.known()
    const session = await auth.signIn(client, 'client')
    await data.change(client.external, { email: someone() })
    const refresh = { grant_type: 'refresh_token', client_id: auth.clientId, refresh_token: session.refresh_token }
    expect((await auth.token(refresh, 'client')).status).toBe(400)
    await auth.mailsTo(client.username)
  })

  /** A client whom an office has entered, and who has set no password yet. */
  async function invited() {
    const http = await auth.asExpert((await auth.office()).trainee)
    const [email, external] = [someone(), randomUUID()]
    const Client = { email, firstname: 'X', lastname: 'Y', external_user_id: external }
    const { id } = (await http.post<{ id: number }>('/client', { Client })).body
    return { id, email, external }
  }
  const accept = (token: string, password: string) => auth.http('client').post(`/invitation/${token}`, { password })

  it('of the address of a client without a password invites them at the new one, and sends nothing to the old one', async () => {
    const [client, email] = [await invited(), someone()]
    const { token } = linkOf((await auth.mailsTo(client.email))[0])
    await data.change(client.external, { email })
    const password = `a password ${randomUUID()}`
    expect((await accept(token, password)).status).toBe(400)
    expect((await accept(linkOf((await auth.mailsTo(email))[0]).token, password)).status).toBe(200)
    await auth.signIn({ username: email, password }, 'client')
    await auth.mailsTo(client.email, 1)
  })

  it('of names only keeps the sessions, and confirms the names', async () => {
    const { id, external } = await invited()
    await data.change(external, { firstname: 'Eva', lastname: 'Lis' })
    const events = (await auth.published(clientTopic)).map(({ event }) => event).filter((event) => event.id === BigInt(id))
    expect(events.at(-1)).toMatchObject({ firstname: 'Eva', lastname: 'Lis' })
  })

  it('of names changes the cards of the offices that the client is attached to, and no others', async () => {
    const [office, another, inviting] = [await auth.office(), await auth.office(), await auth.office()]
    const client = await data.known(office, another)
    const experts = await Promise.all([office, another, inviting].map(({ expert }) => auth.asExpert(expert)))
    await experts[2]?.post('/client', { Client: { email: client.username, firstname: 'X', lastname: 'Y' } })
    await data.change(client.external, { lastname: 'Lis', company_name: 'Lis and Sons' })
    const cards = await auth.database.rows(
      'SELECT customer_id::int AS office, lastname, company_name FROM client_links WHERE user_client_id = $1 ORDER BY id',
      [client.id],
    )
    const changed = { lastname: 'Lis', company_name: 'Lis and Sons' }
    expect(cards).toEqual([
      { office: Number(office.customerId), ...changed },
      { office: Number(another.customerId), ...changed },
      { office: Number(inviting.customerId), lastname: 'Y', company_name: null },
    ])
    const events = (await auth.published(linkTopic))
      .map(({ event }) => event)
      .filter((link) => link.clientId === BigInt(client.id) && link.lastname === 'Lis')
    expect(events.map(({ customerId }) => customerId).sort()).toEqual([office, another].map(({ customerId }) => BigInt(customerId)).sort())
  })

  it('is compared with the names on all cards if the client has confirmed none', async () => {
    const http = await auth.asExpert((await auth.office()).expert)
    const external = randomUUID()
    const entered = { firstname: 'Ola', lastname: 'Kot', company_name: 'Kot' }
    await http.post('/client', { Client: { email: someone(), external_user_id: external, ...entered } })
    expect((await data.get(external)).data).toMatchObject(entered)
    const { changes } = await data.reserve(external, { ...entered, lastname: 'Lis' })
    expect(changes).toMatchObject({ lastname: 'Lis' })
    expect(changes).not.toHaveProperty('firstname')
    expect(changes).not.toHaveProperty('company_name')
    await data.change(external, { company_name: '' })
    // The phone is all that they have confirmed.
    await auth.database.rows("UPDATE clients SET phone = '1', names_confirmed = now() WHERE external_user_id = $1", [external])
    expect((await data.reserve(external, { ...entered, company_name: '' })).changes).toEqual({})
  })

  it('reserves nothing if no field differs', async () => {
    const client = await data.known()
    const id = randomUUID()
    const { changes } = await data.reserve(client.external, { email: client.username, firstname: 'Ada', company_name: '' }, id)
    expect(changes).toEqual({})
    await expect(data.apply(id, { firstname: 'Eva' })).rejects.toEqual(refusedWith(status.FAILED_PRECONDITION))
    expect(await auth.database.rows('SELECT FROM client_data_changes WHERE id = $1', [id])).toEqual([])
  })

  it('that was released can be neither applied nor reserved', async () => {
    const client = await data.known()
    const email = someone()
    for (const before of [true, false]) {
      const id = randomUUID()
      if (before) await data.reserve(client.external, { email }, id)
      await data.release(id)
      await expect(data.reserve(client.external, { email }, id)).rejects.toEqual(refusedWith(status.FAILED_PRECONDITION))
      await expect(data.apply(id, { email })).rejects.toEqual(refusedWith(status.FAILED_PRECONDITION))
    }
    expect(await data.accountOf(client)).toMatchObject({ email: client.username })
    await data.reserve((await data.known()).external, { email })
  })

  it('that was applied cannot be released', async () => {
    const client = await data.known()
    const [id, email] = [randomUUID(), someone()]
    await data.reserve(client.external, { email }, id)
    await data.apply(id, { email })
    await data.release(id)
    expect((await data.apply(id, { email })).customer_ids).toEqual([String(client.office.customerId)])
  })
})

describe('the account of the same person as an employee', () => {
  /** A client with the address of an employee of the office. */
  async function both(office: Office, employee: Person, offices = [office]): Promise<Known> {
    const client = await data.known(...offices)
    await auth.database.rows('UPDATE clients SET email = $2 WHERE id = $1', [client.id, employee.username])
    return { ...client, username: employee.username }
  }

  it('changes as well, with its event and its entry in the trail of the office', async () => {
    const office = await auth.office()
    const { expert } = office
    const [client, email] = [await both(office, expert), someone()]
    const session = await auth.signIn(expert)
    await data.change(client.external, { email, lastname: 'Lis', company_name: 'Lis Ltd' })
    expect(await data.employeeOf(expert)).toEqual({ email, firstname: 'Ada', lastname: 'Lis' })
    const events = (await auth.published(userTopic)).map(({ event }) => event).filter((event) => event.id === expert.id)
    expect(events.at(-1)).toMatchObject({ email, lastname: 'Lis' })
    const trail = await auth.database.rows("SELECT customer_id::text FROM audit_events WHERE subject = $1 AND kind = 'user.changed'", [
      `employee:${expert.id}`,
    ])
    expect(trail).toEqual([{ customer_id: String(office.customerId) }])
    const refresh = { grant_type: 'refresh_token', client_id: auth.clientId, refresh_token: session.refresh_token }
    expect((await auth.token(refresh)).status).toBe(400)
  })

  it('may be deleted meanwhile with its office, and the client is changed', async () => {
    const [office, id] = [await auth.office(), randomUUID()]
    const client = await both(office, office.expert, [office, await auth.office()])
    await data.reserve(client.external, { lastname: 'Lis' }, id)
    await auth.service.administration.closeOffice(office.customerId, new Date(0))
    await auth.service.administration.removeDueOffices()
    await eventually(async () => expect(await data.employeeOf(office.expert)).toBeUndefined())
    await data.apply(id, { lastname: 'Lis' })
    expect(await data.accountOf(client)).toMatchObject({ lastname: 'Lis' })
  })

  it('does not change at an office that the client is not attached to', async () => {
    const office = await auth.office()
    const client = await both(office, office.expert, [await auth.office()])
    await data.change(client.external, { email: someone() })
    expect(await data.employeeOf(office.expert)).toMatchObject({ email: office.expert.username })
  })

  it('does not change while the client has not proven the address', async () => {
    const office = await auth.office()
    const [http, external] = [await auth.asExpert(office.trainee), randomUUID()]
    const card = { firstname: 'A', lastname: 'B', external_user_id: external }
    expect((await http.post('/client', { Client: { ...card, email: office.administrator.username } })).status).toBe(201)
    await data.change(external, { email: someone() })
    expect(await data.employeeOf(office.administrator)).toMatchObject({ email: office.administrator.username })
  })
})

it('a change affects one client only', async () => {
  const [client, another] = [await data.known(), await data.known()]
  await data.change(client.external, { email: someone(), lastname: `${randomId()}` })
  expect(await data.accountOf(another)).toEqual({ email: another.username, firstname: 'Ada', lastname: 'Nowak', company_name: null })
})
