import { sessionTopic } from '@caseway/protos/topics'
import { type HttpClient, randomId } from '@caseway/testing'
import { holdTransaction, untilWaiting } from '@caseway/testing/held-transaction'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Auth, expertUrl, startAuthService } from '../support/auth.js'
import { signedInOffice } from '../support/staffed-office.js'

let auth: Auth
beforeAll(async () => {
  auth = await startAuthService()
})
afterAll(() => auth.stop())

const done = { status: 'OK' }
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
type Listed = { UserRole: Record<string, string> }[]

const listed = async (http: HttpClient, query = '') => (await http.get<Listed>(`/user_role${query}`)).body.map(({ UserRole }) => UserRole)
const roleOf = async (http: HttpClient, name: string) => (await listed(http)).find((role) => role.name === name) as Record<string, string>
const create = async (http: HttpClient, UserRole: object) => (await http.post<{ id: number }>('/user_role', { UserRole })).body.id

describe('GET /rest/user_role', () => {
  it('lists the four built-in roles', async () => {
    const { office, http } = await signedInOffice(auth)
    const common = { id: expect.stringMatching(/^\d+$/), customer_id: String(office.customerId), created: timestamp, modified: timestamp }
    expect(await listed(http)).toEqual(
      ['Administrator', 'Expert', 'Specialist', 'Trainee'].map((name, index) => ({ ...common, name, base_role: String(index + 1) })),
    )
  })

  it('filters and sorts', async () => {
    const { http } = await signedInOffice(auth)
    await create(http, { name: 'Accountant', base_role: 3 })
    const names = async (query: string) => (await listed(http, query)).map(({ name }) => name)
    expect(await names('?base_role=3')).toEqual(['Specialist', 'Accountant'])
    expect((await names('?sort=name'))[0]).toBe('Accountant')
    expect((await http.get('/user_role?color=red')).status).toBe(400)
  })
})

describe('POST /rest/user_role', () => {
  it('creates a role, by default with the base role of a trainee', async () => {
    const { http } = await signedInOffice(auth)
    const { status, headers, body } = await http.post<{ id: number }>('/user_role', {
      UserRole: { name: 'Guest', customer_id: '1', id: '1' },
    })
    expect([status, body]).toEqual([201, { id: expect.any(Number) }])
    expect(headers.get('location')).toBe(`${expertUrl}/rest/user_role/${body.id}`)
    expect((await http.get(`/user_role/${body.id}`)).body).toMatchObject({ UserRole: { name: 'Guest', base_role: '4' } })
  })

  it.each([0, 5, -1, 1.5, 'expert', null])('refuses base_role %j, which is not from 1 to 4', async (base_role) => {
    const { http } = await signedInOffice(auth)
    const { status, body } = await http.post('/user_role', { UserRole: { name: 'Guest', base_role } })
    expect([status, body]).toEqual([400, { status: 'error', errorMessages: { base_role: expect.any(String) } }])
  })

  it('requires a name', async () => {
    const { http } = await signedInOffice(auth)
    expect((await http.post('/user_role', { UserRole: {} })).body).toMatchObject({ errorMessages: { name: expect.any(String) } })
    expect((await http.post('/user_role', { UserRole: { name: 'x'.repeat(101) } })).status).toBe(400)
    expect((await http.post('/user_role', { name: 'Guest' })).body).toMatchObject({ errorMessages: { UserRole: 'is required' } })
  })
})

describe('PUT /rest/user_role/{id}', () => {
  it('changes name and base role', async () => {
    const { http } = await signedInOffice(auth)
    const path = `/user_role/${await create(http, { name: 'Guest' })}`
    const etag = (await http.get(path)).headers.get('etag') ?? ''
    expect((await http.put(path, { UserRole: { name: 'Accountant', base_role: '2' } }, { 'if-match': etag })).body).toEqual(done)
    expect((await http.get(path)).body).toMatchObject({ UserRole: { name: 'Accountant', base_role: '2' } })
    expect((await http.put(path, { UserRole: { name: 'B' } }, { 'if-match': etag })).status).toBe(412)
    expect((await http.put(path, { UserRole: { name: ' ' } })).status).toBe(400)
  })

  it('changes the name of a built-in role, but not its base role', async () => {
    const { http } = await signedInOffice(auth)
    const { id } = await roleOf(http, 'Administrator')
    const { status, body } = await http.put(`/user_role/${id}`, { UserRole: { base_role: 2 } })
    expect([status, body]).toMatchObject([409, { errorCode: 'ROLE_BUILT_IN' }])
    expect((await http.put(`/user_role/${id}`, { UserRole: { name: 'Owner', base_role: 1 } })).status).toBe(200)
    expect(await roleOf(http, 'Owner')).toMatchObject({ base_role: '1' })
  })

  it('keeps at least one administrator', async () => {
    const { office, http } = await signedInOffice(auth)
    const id = await create(http, { name: 'Owner', base_role: 1 })
    expect((await http.put(`/user/${office.administrator.id}`, { User: { user_role_id: id } })).status).toBe(200)
    const again = await auth.asExpert(office.administrator)
    const { status, body } = await again.put(`/user_role/${id}`, { UserRole: { base_role: 2 } })
    expect([status, body]).toMatchObject([409, { errorCode: 'LAST_ADMINISTRATOR' }])
    expect(await roleOf(again, 'Owner')).toMatchObject({ base_role: '1' })
  })

  it('ends the sessions of everybody with a role whose base role changes, and of nobody else', async () => {
    const { office, http } = await signedInOffice(auth)
    const id = await create(http, { name: 'Guest' })
    for (const { id: userId } of [office.trainee, office.specialist]) await http.put(`/user/${userId}`, { User: { user_role_id: id } })
    const tokens = await Promise.all([office.trainee, office.specialist, office.expert].map((person) => auth.signIn(person)))
    expect((await http.put(`/user_role/${id}`, { UserRole: { name: 'B', base_role: 4 } })).status).toBe(200)
    expect((await http.put(`/user_role/${id}`, { UserRole: { base_role: 3 } })).status).toBe(200)
    const refresh = ({ refresh_token }: { refresh_token: string }) =>
      auth.token({ grant_type: 'refresh_token', client_id: auth.clientId, refresh_token })
    const statuses = await Promise.all(tokens.map(refresh))
    expect(statuses.map(({ status }) => status)).toEqual([400, 400, 200])
  })

  it('ends the sessions of 1,000 people in one statement, each with its event', async () => {
    const { office, http } = await signedInOffice(auth)
    const id = await create(http, { name: 'Guest' })
    const people = `WITH people AS (
        INSERT INTO users (customer_id, email, firstname, lastname, user_role_id)
        SELECT $1, gen_random_uuid() || '@office.test', 'A', 'B', $2 FROM generate_series(1, 1000) RETURNING id)
      INSERT INTO sessions (id, audience, kind, user_id, application_id, expires)
      SELECT gen_random_uuid(), 'expert', 'employee', id, 1, now() + interval '1 day' FROM people RETURNING id::text`
    const sessions = await auth.database.rows<{ id: string }>(people, [String(office.customerId), String(id)])
    expect((await http.put(`/user_role/${id}`, { UserRole: { base_role: 3 } })).status).toBe(200)
    const ended = (await auth.published(sessionTopic)).map(({ event }) => event.sessionId)
    expect(ended).toEqual(expect.arrayContaining(sessions.map((session) => session.id)))
    const open = await auth.database.rows('SELECT FROM sessions WHERE id = ANY($1) AND ended IS NULL', [
      sessions.map((session) => session.id),
    ])
    expect(open).toEqual([])
  })
})

describe('DELETE /rest/user_role/{id}', () => {
  it('deletes a role with its permissions', async () => {
    const { http } = await signedInOffice(auth)
    const id = await create(http, { name: 'Guest' })
    await http.put(`/user_role/${id}/permission`, [{ UserRolePermission: { key: 'reports.all', allowed: '1' } }])
    expect((await http.delete(`/user_role/${id}`, { 'if-match': '"7"' })).status).toBe(412)
    expect((await http.delete(`/user_role/${id}`)).body).toEqual(done)
    expect((await http.get(`/user_role/${id}`)).status).toBe(404)
    expect(await auth.database.rows('SELECT key FROM user_role_permissions WHERE user_role_id = $1', [id])).toEqual([])
  })

  it('refuses one that people have, also deactivated ones', async () => {
    const { office, http } = await signedInOffice(auth)
    const id = await create(http, { name: 'Guest' })
    await http.put(`/user/${office.trainee.id}`, { User: { user_role_id: id, active: 0 } })
    const { status, body } = await http.delete(`/user_role/${id}`)
    expect([status, body]).toMatchObject([409, { errorCode: 'ROLE_IN_USE' }])
    expect((await http.get(`/user_role/${id}`)).status).toBe(200)
  })

  it('refuses the built-in ones', async () => {
    const { office, http } = await signedInOffice(auth)
    const { id } = await roleOf(http, 'Trainee')
    const other = await create(http, { name: 'Guest' })
    expect((await http.put(`/user/${office.trainee.id}`, { User: { user_role_id: other } })).status).toBe(200)
    const { status, body } = await http.delete(`/user_role/${id}`)
    expect([status, body]).toMatchObject([409, { errorCode: 'ROLE_BUILT_IN' }])
  })

  it('assigns no role that is deleted concurrently', async () => {
    const { office, http } = await signedInOffice(auth)
    const id = await create(http, { name: 'Guest' })
    const other = await holdTransaction(auth.database, 'DELETE FROM user_roles WHERE id = $1', [id])
    const given = http.put(`/user/${office.trainee.id}`, { User: { user_role_id: id } })
    await untilWaiting(auth.database, 1)
    await other.commit()
    const { status, body } = await given
    expect([status, body]).toMatchObject([400, { errorMessages: { user_role_id: 'does not exist' } }])
    const unknown = await http.put(`/user/${office.trainee.id}`, { User: { user_role_id: String(randomId()) } })
    expect(unknown.body).toEqual(body)
  })
})
