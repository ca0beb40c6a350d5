import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { eventually, randomId } from '@caseway/testing'
import { holdTransaction, untilWaiting } from '@caseway/testing/held-transaction'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { address, type ClientDataPlatform, type ClientOf, clientDataPlatform, stateWith } from './support/client-data.js'

let platform: ClientDataPlatform
beforeAll(async () => {
  platform = await clientDataPlatform()
}, 30_000)
afterAll(() => platform.stop())

const seen = ({ status, text }: { status: number; text: string }) => [status, text]
const changed = (id: bigint, cards: number) =>
  [200, `{"status":"success","message":{"updated":true,"user_client_id":"${id}","updated_initiators":${cards}}}`] as const
const unchanged = [200, '{"status":"success","message":{"updated":false}}']
const refused = (status: number, text: string, code: string) => [
  ...[status, `{"status":"error","errorMessages":"${text}","errorCode":"${code}"}`],
]
const notFound = refused(404, 'There is no such client.', 'CLIENT_USER_NOT_FOUND')
const takenByClient = refused(403, 'The e-mail address belongs to another client.', 'EMAIL_TAKEN_BY_CLIENT')
const takenByUser = refused(403, 'The e-mail address belongs to an employee.', 'EMAIL_TAKEN_BY_USER')
const notValid = (text: string) => refused(400, text, 'VALIDATION_FAILED')

const changesOf = ({ external }: { external: string }) =>
  platform.partner.database.rows('SELECT state FROM client_data_changes WHERE external_user_id = $1', [external])

describe('POST /rest/partner_client_data', () => {
  it('changes everything that is sent, everywhere, and counts the cards of every office', async () => {
    const client = await platform.client({ offices: 3, cards: 2 })
    const email = address()
    const sent = { external_user_id: client.external, email, firstname: 'Eva', lastname: 'Lis', company_name: 'Lis Ltd' }
    expect(seen(await platform.post(sent))).toEqual(changed(client.id, 6))
    expect(await platform.stateOf(client)).toEqual(stateWith(client, { email, firstname: 'Eva', lastname: 'Lis', company: 'Lis Ltd' }))
    expect(seen(await platform.post(sent))).toEqual(unchanged)
  })

  it.each([
    ['an address', { email: 'one' }],
    ['a first name', { firstname: 'Eva' }],
    ['a last name', { lastname: 'Lis' }],
    ['a company', { company: 'Lis Ltd' }],
  ])('leaves what is not sent: %s alone', async (_, { company, ...fields }: Record<string, string>) => {
    const client = await platform.client()
    const after = { ...fields, ...(fields.email && { email: address() }) }
    const sent = { external_user_id: client.external, ...after, ...(company && { company_name: company }) }
    expect(seen(await platform.post(sent))).toEqual(changed(client.id, 1))
    expect(await platform.stateOf(client)).toEqual(stateWith(client, { ...after, ...(company && { company }) }))
  })

  it('removes a company by an empty name, and by null', async () => {
    for (const company_name of ['', null]) {
      const client = await platform.client()
      const external_user_id = client.external
      expect(seen(await platform.post({ external_user_id, company_name: 'Lis Ltd' }))).toEqual(changed(client.id, 1))
      expect(seen(await platform.post({ external_user_id, company_name }))).toEqual(changed(client.id, 1))
      expect(await platform.stateOf(client)).toEqual(stateWith(client, { company: null }))
      expect(seen(await platform.post({ external_user_id, company_name }))).toEqual(unchanged)
    }
  })

  it('skips an office without a card', async () => {
    const client = await platform.client({ offices: 2 })
    await platform.cases.database.rows('DELETE FROM issue_initiators WHERE customer_id = $1', [client.offices[0]])
    expect(seen(await platform.post({ external_user_id: client.external, lastname: 'Lis' }))).toEqual(changed(client.id, 1))
    await platform.cases.database.rows('DELETE FROM issue_initiators WHERE customer_id = $1', [client.offices[1]])
    expect(seen(await platform.post({ external_user_id: client.external, lastname: 'Sowa' }))).toEqual(changed(client.id, 0))
  })

  it('writes, publishes and calls nothing if nothing differs', async () => {
    const client = await platform.client()
    const before = (await platform.scim.requests()).length
    const sent = { external_user_id: client.external, email: client.email, firstname: 'Ada', lastname: 'Nowak', company_name: '' }
    expect(seen(await platform.post(sent))).toEqual(unchanged)
    expect(seen(await platform.post({ external_user_id: client.external, other: 'field' }))).toEqual(unchanged)
    expect(await changesOf(client)).toEqual([])
    expect(await platform.scim.requests()).toHaveLength(before)
  })

  it('accepts the id of a client as a string or a number', async () => {
    const external = Number(randomId())
    const client = await platform.client({ external: String(external) })
    expect(seen(await platform.post({ external_user_id: external, lastname: 'Lis' }))).toEqual(changed(client.id, 1))
    expect(seen(await platform.post({ external_user_id: String(external), lastname: 'Lis' }))).toEqual(unchanged)
  })

  it('accepts no other numbers for strings, and ignores unknown fields', async () => {
    const client = await platform.client()
    const external_user_id = client.external
    const wrong: [object, string][] = [
      [{}, 'external_user_id is required.'],
      [{ external_user_id: '' }, 'external_user_id is required.'],
      [{ external_user_id: 7.5 }, 'external_user_id must be text.'],
      [{ external_user_id, email: 'nobody' }, 'email must be a valid e-mail address.'],
      [{ external_user_id, email: '' }, 'email must be a valid e-mail address.'],
      [{ external_user_id, email: null }, 'email must not be null.'],
      [{ external_user_id, email: `${'a'.repeat(56)}@mail.test` }, 'email must be at most 64 characters.'],
      [{ external_user_id, email: 7, firstname: '' }, 'email must be text. firstname must not be empty.'],
      [{ external_user_id, firstname: ' \t ' }, 'firstname must not be empty.'],
      [{ external_user_id, firstname: null, lastname: ['x'] }, 'firstname must not be null. lastname must be text.'],
      [{ external_user_id, lastname: 'a\nb' }, 'lastname must be one line without control characters.'],
      [{ external_user_id, company_name: 'x'.repeat(256) }, 'company_name must be at most 255 characters.'],
    ]
    for (const [fields, text] of wrong) expect([fields, ...seen(await platform.post(fields))]).toEqual([fields, ...notValid(text)])
    const http = await platform.technical()
    expect(seen(await http.post('/partner_client_data', {}))).toEqual(notValid('PartnerClientData is required.'))
    expect(await platform.stateOf(client)).toEqual(stateWith(client))
    const longest = `${'a'.repeat(64 - '@mail.test'.length)}@mail.test`
    expect(seen(await platform.post({ external_user_id, email: longest, other: 1 }))).toEqual(changed(client.id, 1))
  })

  it('does not find an unknown client, nor one whom every office has banned', async () => {
    expect(seen(await platform.post({ external_user_id: randomUUID(), firstname: 'Eva' }))).toEqual(notFound)
    const client = await platform.client({ offices: 2 })
    await platform.accounts.database.rows('UPDATE client_links SET banned = true WHERE user_client_id = $1', [client.id])
    for (const fields of [{ firstname: 'Eva' }, {}])
      expect(seen(await platform.post({ external_user_id: client.external, ...fields }))).toEqual(notFound)
  })

  it('refuses an address of an employee or another client, here or in the single sign-on system', async () => {
    const [client, another] = [await platform.client(), await platform.client()]
    const external_user_id = client.external
    const [employee] = await platform.accounts.database.rows<{ email: string }>('SELECT email::text FROM users LIMIT 1')
    expect(seen(await platform.post({ external_user_id, email: employee?.email }))).toEqual(takenByUser)
    expect(seen(await platform.post({ external_user_id, email: another.email.toUpperCase() }))).toEqual(takenByClient)
    const there = address()
    await platform.scim.put({ id: randomUUID(), userName: 'somebody', emails: [{ value: there.toUpperCase() }] })
    expect(seen(await platform.post({ external_user_id, email: there }))).toEqual(takenByClient)
    await platform.scim.put({ id: randomUUID(), userName: there })
    expect(seen(await platform.post({ external_user_id, email: there }))).toEqual(takenByClient)
    expect(await platform.stateOf(client)).toEqual(stateWith(client))
    // A refused address is not reserved.
    const free = await platform.accounts.database.rows("SELECT FROM client_data_changes WHERE state = 'reserved' AND user_client_id = $1", [
      client.id,
    ])
    expect(free).toEqual([])
  })

  it('answers the same key with the same answer', async () => {
    const client = await platform.client()
    const http = await platform.technical()
    const body = { PartnerClientData: { external_user_id: client.external, lastname: 'Lis' } }
    const key = { 'idempotency-key': randomUUID() }
    for (let time = 0; time < 2; time++) expect(seen(await http.post('/partner_client_data', body, key))).toEqual(changed(client.id, 1))
  })
})

describe('whoever is not the technical account', () => {
  it('gets 403 before the body is read', async () => {
    const { customerId } = await platform.accounts.service.administration.createOffice(
      { name: 'Office', timeZone: 'Europe/Warsaw' },
      { firstname: 'A', lastname: 'B', email: 'boss@office.test', password: 'a long password' },
    )
    await platform.accounts.service.administration.createApplication('frontends', 'first_party', 'The frontends')
    const grant = { grant_type: 'password', client_id: 'frontends', username: 'boss@office.test', password: 'a long password' }
    const { body } = await platform.accounts.http('expert').post<{ access_token: string }>('/token', grant)
    const url = `${platform.partner.service.httpUrl}/expert/rest/partner_client_data`
    const headers = { authorization: `Bearer ${body.access_token}`, 'content-type': 'application/json' }
    const answer = await fetch(url, { method: 'POST', headers, body: '{ not JSON' })
    expect([customerId > 0n, answer.status, await answer.json()]).toMatchObject([true, 403, { status: 'error', errorCode: 'FORBIDDEN' }])
  })
})

describe('calls at the same time', () => {
  it('have one winner, where 50 clients want one free address', async () => {
    const clients: ClientOf[] = []
    while (clients.length < 50) clients.push(await platform.client({ cards: 0 }))
    const email = address()
    const answers = await Promise.all(clients.map(({ external }) => platform.post({ external_user_id: external, email })))
    const codes = answers.map(({ status, body }) => [status, (body as { errorCode?: string }).errorCode])
    expect(codes.filter(([status]) => status === 200)).toHaveLength(1)
    expect(codes.filter(([, code]) => code === 'EMAIL_TAKEN_BY_CLIENT')).toHaveLength(49)
    expect(await platform.accounts.database.rows('SELECT FROM clients WHERE email = $1', [email])).toHaveLength(1)
  }, 30_000)

  it('wait for their turn at an address without failing jobs', async () => {
    const [first, second] = [await platform.client(), await platform.client()]
    const email = address()
    await platform.scim.fault('hold-patch')
    const winner = platform.post({ external_user_id: first.external, email })
    await eventually(async () => expect(await changesOf(first)).toEqual([{ state: 'reserved' }]))
    const loser = platform.post({ external_user_id: second.external, email })
    // In this time a failing job would be claimed three times.
    await pause(2_000)
    const failed = 'SELECT FROM kit.job WHERE key = $1 AND fence <> 1'
    expect(await platform.partner.database.rows(failed, [second.external])).toEqual([])
    expect(await changesOf(second)).toEqual([{ state: 'received' }])
    await platform.scim.fault('none')
    expect([seen(await winner), seen(await loser)]).toEqual([changed(first.id, 1), takenByClient])
  })

  it('make one change, where 50 are equal', async () => {
    const client = await platform.client()
    const sent = { external_user_id: client.external, email: address(), lastname: 'Lis' }
    const answers = await Promise.all(Array.from({ length: 50 }, () => platform.post(sent)))
    expect(answers.filter(({ text }) => text === changed(client.id, 1)[1])).toHaveLength(1)
    expect(answers.filter(({ text }) => text === unchanged[1])).toHaveLength(49)
    const changes = await platform.accounts.database.rows('SELECT FROM client_data_changes WHERE user_client_id = $1', [client.id])
    expect(changes).toHaveLength(1)
  }, 30_000)

  it('for one client run one after the other, and for different clients concurrently', async () => {
    const [client, another] = [await platform.client(), await platform.client()]
    const held = await holdTransaction(platform.accounts.database, 'SELECT FROM clients WHERE id = $1 FOR UPDATE', [client.id])
    const first = platform.post({ external_user_id: client.external, lastname: 'Lis' })
    await untilWaiting(platform.accounts.database, 1)
    const second = platform.post({ external_user_id: client.external, lastname: 'Sowa' })
    expect(seen(await platform.post({ external_user_id: another.external, lastname: 'Lis' }))).toEqual(changed(another.id, 1))
    await eventually(async () => expect(await changesOf(client)).toHaveLength(2))
    await untilWaiting(platform.accounts.database, 1)
    await held.commit()
    expect([seen(await first), seen(await second)]).toEqual([changed(client.id, 1), changed(client.id, 1)])
    expect(await platform.stateOf(client)).toEqual(stateWith(client, { lastname: 'Sowa' }))
  })
})

describe('without a single sign-on system', () => {
  it('accounts and cards are changed', async () => {
    const without = await clientDataPlatform({ sso: false })
    const client = await without.client()
    const sent = { external_user_id: client.external, email: address(), lastname: 'Lis' }
    expect((await without.post(sent)).status).toBe(200)
    const { account, cards } = stateWith(client, { email: sent.email, lastname: sent.lastname })
    expect(await without.stateOf(client)).toMatchObject({ account, cards, person: { userName: client.email } })
    expect(await without.scim.requests()).toEqual([])
    await without.stop()
  }, 60_000)
})
