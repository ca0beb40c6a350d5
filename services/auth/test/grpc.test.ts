import { randomUUID } from 'node:crypto'
import { type GrpcClient, grpcClient, randomId } from '@caseway/testing'
import { status } from '@grpc/grpc-js'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import jwt from 'jsonwebtoken'
import { rights } from '../src/roles/right.js'
import { type Auth, type Office, startAuthService } from './support/auth.js'

let auth: Auth
let office: Office
let other: Office
const services = {} as Record<'People' | 'Rights' | 'Session' | 'Snapshot', GrpcClient>
beforeAll(async () => {
  auth = await startAuthService()
  office = await auth.office('Europe/Rome')
  other = await auth.office()
  const { grpcAddress } = auth.service
  for (const name of ['People', 'Rights', 'Session', 'Snapshot'] as const) {
    services[name] = grpcClient(grpcAddress, `caseway.auth.v1.${name}Service`)
  }
})
afterAll(async () => {
  for (const client of Object.values(services)) client.close()
  await auth.stop()
})

const notFound = expect.objectContaining({ code: status.NOT_FOUND })

describe('PeopleService', () => {
  it('returns the people of an office, also deactivated ones', async () => {
    const { id, username } = office.trainee
    const request = { customer_id: String(office.customerId), id: String(id) }
    const user = { ...request, email: username, firstname: 'Ada', lastname: 'Nowak', active: true }
    expect(await services.People.call('getUser', request)).toEqual({ user })
    await (await auth.asExpert(office.administrator)).delete(`/user/${id}`)
    expect(await services.People.call('getUser', request)).toEqual({ user: { ...user, active: false } })
  })

  it('answers NOT_FOUND for somebody of another office as for an unknown id', async () => {
    for (const id of [other.trainee.id, randomId(), 0n]) {
      const call = services.People.call('getUser', { customer_id: String(office.customerId), id: String(id) })
      await expect(call).rejects.toEqual(notFound)
    }
  })

  it('returns the link of a client in every state', async () => {
    const client = await auth.client(other)
    const request = { customer_id: String(office.customerId), client_id: String(client.id) }
    const state = async () => (await services.People.call<{ link: Record<string, unknown> }>('getClientLink', request)).link
    await expect(state()).rejects.toEqual(notFound)
    const http = await auth.asExpert(office.expert)
    await http.post('/client', { Client: { email: client.username, firstname: 'Eva', lastname: 'Lis' } })
    expect(await state()).toEqual({ ...request, id: expect.any(String), state: 'LINK_STATE_INVITED', banned: false, revision: '1' })
    await auth.service.administration.linkClient(client.id, office.customerId)
    expect(await state()).toMatchObject({ state: 'LINK_STATE_ACTIVE' })
    await http.put(`/client/${client.id}`, { Client: { banned: 1 } })
    expect(await state()).toMatchObject({ state: 'LINK_STATE_ACTIVE', banned: true })
    await http.delete(`/client/${client.id}`)
    expect(await state()).toMatchObject({ state: 'LINK_STATE_ENDED', banned: true })
  })
})

it('PeopleService returns the groups of an office until they are deleted', async () => {
  const http = await auth.asExpert(office.expert)
  const { body } = await http.post<{ id: number }>('/group', { Group: { name: 'Accounts' } })
  const request = { customer_id: String(office.customerId), id: String(body.id) }
  expect(await services.People.call('getGroup', request)).toEqual({ group: { ...request, name: 'Accounts', revision: '1' } })
  await expect(services.People.call('getGroup', { ...request, customer_id: String(other.customerId) })).rejects.toEqual(notFound)
  await http.delete(`/group/${body.id}`)
  await expect(services.People.call('getGroup', request)).rejects.toEqual(notFound)
})

describe('RightsService', () => {
  const rightsOf = async (userId: bigint, { customerId }: Office = office) =>
    (await services.Rights.call<{ rights: string[] }>('getRights', { customer_id: String(customerId), user_id: String(userId) })).rights

  it('returns the effective rights of a person: those of the role, with the person’s own permissions', async () => {
    expect((await rightsOf(office.expert.id)).sort()).toEqual([...rights].sort())
    expect(await rightsOf(other.trainee.id, other)).toEqual(['mailbox.personal_mailbox'])
    const http = await auth.asExpert(other.administrator)
    const changes = [
      { UserPermission: { key: 'reports.all', allowed: '1' } },
      { UserPermission: { key: 'mailbox.personal_mailbox', allowed: '0' } },
    ]
    await http.put(`/user/${other.trainee.id}/permission`, changes)
    expect(await rightsOf(other.trainee.id, other)).toEqual(['reports.all'])
  })

  it('returns none for a deactivated person, one of another office, or an unknown id', async () => {
    await (await auth.asExpert(office.administrator)).delete(`/user/${office.specialist.id}`)
    expect(await rightsOf(office.specialist.id)).toEqual([])
    expect(await rightsOf(other.expert.id)).toEqual([])
    expect(await rightsOf(randomId())).toEqual([])
  })

  it('returns the active employees of an office who have a right', async () => {
    const { customerId, administrator, expert, specialist, trainee } = await auth.office()
    const having = async (right: string) => {
      const request = { customer_id: String(customerId), right }
      return new Set((await services.Rights.call<{ user_ids: string[] }>('listUsersWithRight', request)).user_ids)
    }
    const idsOf = (...people: { id: bigint }[]) => new Set(people.map(({ id }) => String(id)))
    const http = await auth.asExpert(administrator)
    await http.put(`/user/${specialist.id}/permission`, [{ UserPermission: { key: 'reports.all', allowed: '1' } }])
    await http.put(`/user/${expert.id}/permission`, [{ UserPermission: { key: 'reports.all', allowed: '0' } }])
    expect(await having('reports.all')).toEqual(idsOf(administrator, specialist))
    await http.delete(`/user/${trainee.id}`)
    expect(await having('mailbox.personal_mailbox')).toEqual(idsOf(administrator, expert, specialist))
    expect(await having('nonsense')).toEqual(idsOf())
  })
})

describe('SessionService', () => {
  type Ended = { sessions: { session_id: string; ends_at: { seconds: string } }[] }
  const ended = async (request: object) => (await services.Session.call<Ended>('listEndedSessions', request)).sessions
  const idsOf = (sessions: Ended['sessions']) => sessions.map(({ session_id }) => session_id)

  it('lists in pages the ended sessions whose tokens may be unexpired', async () => {
    const signedOut: string[] = []
    for (let i = 0; i < 3; i++) {
      const { access_token } = await auth.signIn(office.expert)
      signedOut.push(jwt.decode(access_token, { json: true })?.sid as string)
      await (await auth.asExpert(office.expert)).as(access_token).delete('/token')
    }
    await auth.database.rows("UPDATE sessions SET ended = now() - interval '901 seconds' WHERE id = $1", [signedOut.pop()])
    const all = await ended({})
    expect(idsOf(all)).toEqual([...idsOf(all)].sort())
    expect(idsOf(all)).toEqual(expect.arrayContaining(signedOut))
    expect(idsOf(all).length).toBe((await auth.database.rows("SELECT id FROM sessions WHERE ended > now() - interval '15 minutes'")).length)
    const paged: string[] = []
    for (let page = await ended({ limit: 1 }); page.length > 0; page = await ended({ limit: 1, after: paged.at(-1) })) {
      expect(page).toHaveLength(1)
      paged.push(...idsOf(page))
    }
    expect(paged).toEqual(idsOf(all))
    const found = all.find(({ session_id }) => session_id === signedOut[0])
    expect(Math.abs(Number(found?.ends_at.seconds) - Date.now() / 1000 - 900)).toBeLessThan(60)
    expect(idsOf(await ended({ limit: -1 }))).toEqual(paged)
  })
})

describe('SnapshotService', () => {
  const lists = [
    ['listCustomers', 'customers'],
    ['listUsers', 'users'],
    ['listClients', 'clients'],
    ['listLinks', 'links'],
    ['listGroups', 'groups'],
  ] as const
  it.each(lists)('%s returns everything in pages, ascending, as the messages of the events', async (method, table) => {
    await auth.client(office, other)
    const http = await auth.asExpert(office.expert)
    for (const name of ['A', 'B', 'C']) await http.post('/group', { Group: { name } })
    const list = async (request: object) =>
      (await services.Snapshot.call<Record<string, { id: string }[]>>(method, request))[table] as { id: string }[]
    const all = await list({})
    const known = await auth.database.rows<{ id: string }>(`SELECT id FROM ${table === 'links' ? 'client_links' : table} ORDER BY id`)
    expect(all.map(({ id }) => id)).toEqual(known.map(({ id }) => id))
    const paged: unknown[] = []
    for (let page = await list({ limit: 2 }); page.length > 0; page = await list({ limit: 2, after: page.at(-1)?.id })) paged.push(...page)
    expect(paged).toEqual(all)
    expect(all.every((record) => 'revision' in record)).toBe(true)
  })

  it('returns at most a thousand records per page', async () => {
    const insert = `INSERT INTO clients (email, firstname, lastname) SELECT $1 || n || '@client.test', '', '' FROM generate_series(1, 1001) n`
    await auth.database.rows(insert, [randomUUID()])
    expect((await services.Snapshot.call<{ clients: unknown[] }>('listClients', { limit: 5000 })).clients).toHaveLength(1000)
  })

  it('returns a link as its event contained it', async () => {
    const client = await auth.client(office)
    const { links } = await services.Snapshot.call<{ links: Record<string, string>[] }>('listLinks')
    expect(links.find(({ client_id }) => client_id === String(client.id))).toEqual({
      ...{ id: expect.any(String), customer_id: String(office.customerId), client_id: String(client.id), state: 'LINK_STATE_ACTIVE' },
      ...{ banned: false, email: client.username, firstname: 'Ada', lastname: 'Nowak', phone: '', company_name: '' },
      ...{ revision: '1', resumed: false, already_ended: false },
    })
  })
})
