import { randomUUID } from 'node:crypto'
import { type HttpClient, randomId, versionOf } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Auth, expertUrl, type Office, startAuthService } from '../support/auth.js'

let auth: Auth
beforeAll(async () => {
  auth = await startAuthService()
})
afterAll(() => auth.stop())

const done = { status: 'OK' }
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
const newUser = (more: object = {}) => ({ User: { email: `${randomUUID()}@office.test`, firstname: 'Eva', lastname: 'Lis', ...more } })

async function here(): Promise<{ office: Office; http: HttpClient; roleIds: Record<string, string> }> {
  const office = await auth.office()
  const http = await auth.asExpert(office.administrator)
  const { body } = await http.get<{ UserRole: { id: string; name: string } }[]>('/user_role')
  return { office, http, roleIds: Object.fromEntries(body.map(({ UserRole }) => [UserRole.name, UserRole.id])) }
}
const create = async (http: HttpClient, more: object = {}) => (await http.post<{ id: number }>('/user', newUser(more))).body.id

describe('POST /rest/user', () => {
  it('creates an employee who can sign in with the password at once', async () => {
    const { office, http, roleIds } = await here()
    const sent = newUser({ phone: '+48 600', user_role_id: roleIds.Specialist, password: 'a new password' })
    const { status, headers, body } = await http.post<{ id: number }>('/user', sent)
    expect([status, body]).toEqual([201, { id: expect.any(Number) }])
    expect(headers.get('location')).toBe(`${expertUrl}/rest/user/${body.id}`)
    const { password: _, ...shown } = sent.User as Record<string, unknown>
    expect((await http.get(`/user/${body.id}`)).body).toEqual({
      User: {
        ...{ id: String(body.id), customer_id: String(office.customerId), ...shown },
        ...{ active: '1', last_login: null, created: timestamp, modified: timestamp },
      },
    })
    expect(await auth.signIn({ username: sent.User.email, password: 'a new password' })).toMatchObject({ UserRole: { name: 'Specialist' } })
  })

  it('gives a repeated Idempotency-Key the same answer, without storing the password', async () => {
    const { office, http } = await here()
    const sent = newUser({ password: 'a new password' })
    const post = (body: object) => http.post('/user', body, { 'idempotency-key': 'a' })
    const first = await post(sent)
    expect(first.status).toBe(201)
    expect((await post(sent)).text).toBe(first.text)
    expect((await post(newUser())).status).toBe(409)
    const kept = 'SELECT status, row_to_json(held)::text AS text FROM kit.idempotency_key held WHERE caller LIKE $1'
    const [row, ...more] = await auth.database.rows<{ text: string }>(kept, [`employee:%@${office.customerId}`])
    expect([row, more]).toEqual([expect.objectContaining({ status: 201 }), []])
    expect(row?.text).not.toContain('a new password')
  })

  it('creates a trainee, who cannot sign in yet, by default', async () => {
    const { http, roleIds } = await here()
    const sent = newUser({ id: 1, customer_id: '1', last_login: '2020-01-01 00:00:00', version: 9 })
    const { body } = await http.post<{ id: number }>('/user', sent)
    expect((await http.get(`/user/${body.id}`)).body).toMatchObject({
      User: { user_role_id: roleIds.Trainee, phone: null, last_login: null },
    })
    await expect(auth.signIn({ username: sent.User.email, password: 'x' })).rejects.toThrow('invalid_grant')
  })

  it('refuses an address that is taken, in this office or another one, ignoring case', async () => {
    const { office, http } = await here()
    const { expert } = await auth.office()
    for (const email of [office.trainee.username, expert.username, expert.username.toUpperCase()]) {
      const { status, body } = await http.post('/user', newUser({ email }))
      expect([status, body]).toEqual([400, { status: 'error', errorMessages: { email: 'is already used' } }])
    }
  })

  it('names a taken address together with other invalid fields, also in a change, but not the person’s own one', async () => {
    const { office, http } = await here()
    const { expert } = await auth.office()
    const taken = { email: 'is already used' }
    const none = { user_role_id: String(randomId()) }
    const wrong = { firstname: expect.any(String), user_role_id: 'does not exist' }
    const errors = async (answer: Promise<{ body: unknown }>) => (await answer).body
    const put = (id: bigint, User: object) => http.put(`/user/${id}`, { User })
    const email = expert.username.toUpperCase()
    expect(await errors(http.post('/user', newUser({ email, ...none })))).toMatchObject({
      errorMessages: { ...taken, user_role_id: 'does not exist' },
    })
    for (const answer of [
      http.post('/user', newUser({ email, firstname: '', ...none })),
      put(office.trainee.id, { email, firstname: '', ...none }),
    ])
      expect(await errors(answer)).toEqual({ status: 'error', errorMessages: { ...taken, ...wrong } })
    const { username } = office.trainee
    expect(await errors(put(office.trainee.id, { email: username, firstname: '', ...none }))).toEqual({
      status: 'error',
      errorMessages: wrong,
    })
    // Nor does it reveal whose the address is.
    expect(await errors(put(expert.id, { email, firstname: '', ...none }))).toMatchObject({ errorMessages: taken })
  })

  it('refuses a role of another office like one that does not exist', async () => {
    const { http } = await here()
    const { roleIds } = await here()
    const foreign = await http.post('/user', newUser({ user_role_id: roleIds.Trainee }))
    const unknown = await http.post('/user', newUser({ user_role_id: String(randomId()) }))
    expect([foreign.status, foreign.body]).toEqual([400, { status: 'error', errorMessages: { user_role_id: 'does not exist' } }])
    const nameless = await http.post('/user', newUser({ user_role_id: roleIds.Trainee, firstname: '' }))
    expect(nameless.body).toMatchObject({ errorMessages: { user_role_id: 'does not exist', firstname: expect.any(String) } })
    expect(unknown.text).toBe(foreign.text)
  })

  it('names every invalid field', async () => {
    const { http } = await here()
    const wrong = { email: 'nobody', firstname: ' ', lastname: 5, phone: 'x'.repeat(41), user_role_id: 'x', active: 2, password: 'short' }
    const { status, body } = await http.post<{ errorMessages: object }>('/user', { User: wrong })
    expect([status, Object.keys(body.errorMessages).sort()]).toEqual([400, Object.keys(wrong).sort()])
    expect((await http.post('/user', {})).body).toEqual({ status: 'error', errorMessages: { User: 'is required' } })
  })

  it('repeats its answer for the same Idempotency-Key', async () => {
    const { http } = await here()
    const [sent, key] = [newUser(), { 'idempotency-key': randomUUID() }]
    const [first, second] = [await http.post('/user', sent, key), await http.post('/user', sent, key)]
    expect([first.status, second.status, second.text]).toEqual([201, 201, first.text])
  })
})

describe('GET /rest/user', () => {
  it('lists the office, filtered and sorted', async () => {
    const { office, http, roleIds } = await here()
    const left = await create(http, { lastname: 'Abel', active: 0 })
    const ids = async (query: string) => (await http.get<{ User: { id: string } }[]>(`/user${query}`)).body.map(({ User }) => User.id)
    const { administrator, expert, specialist, trainee } = office
    expect((await ids('')).sort()).toEqual([administrator, expert, specialist, trainee, { id: left }].map(({ id }) => String(id)).sort())
    expect(await ids('?active=0')).toEqual([String(left)])
    expect(await ids(`?user_role_id=${roleIds.Expert}`)).toEqual([String(expert.id)])
    expect((await ids('?sort=lastname'))[0]).toBe(String(left))
    expect((await ids('?sort=-lastname')).at(-1)).toBe(String(left))
    expect(await ids('?limit=2&sort=-id')).toHaveLength(2)
    expect((await http.get('/user?count=1&limit=1')).headers.get('x-total-count')).toBe('5')
    expect((await http.get('/user?email=x')).body).toMatchObject({ errorMessages: { email: expect.any(String) } })
  })
})

describe('PUT /rest/user/{id}', () => {
  it('changes what is sent, and nothing else', async () => {
    const { office, http } = await here()
    const path = `/user/${office.trainee.id}`
    const before = await http.get<{ User: object }>(path)
    const ignored = { id: '1', customer_id: '1', last_login: null, created: '2020-01-01 00:00:00' }
    expect((await http.put(path, { User: { lastname: 'Kot', ...ignored } })).body).toEqual(done)
    const after = await http.get<{ User: object }>(path)
    expect(after.body.User).toEqual({ ...before.body.User, lastname: 'Kot', modified: timestamp })
    expect((await http.put(path, { User: { lastname: 'B' } }, { 'if-match': before.headers.get('etag') ?? '' })).status).toBe(412)
    expect((await http.put(path, { User: { lastname: 'B' } }, { 'if-match': after.headers.get('etag') ?? '' })).status).toBe(200)
    expect((await http.delete(path, { 'if-match': after.headers.get('etag') ?? '' })).status).toBe(412)
    expect((await http.get(path)).body).toMatchObject({ User: { lastname: 'B', active: '1' } })
  })

  it('refuses a taken address and a role of another office', async () => {
    const { office, http } = await here()
    const { roleIds } = await here()
    const path = `/user/${office.trainee.id}`
    const taken = await http.put(path, { User: { email: office.expert.username } })
    expect([taken.status, taken.body]).toMatchObject([400, { errorMessages: { email: 'is already used' } }])
    const foreign = await http.put(path, { User: { user_role_id: roleIds.Expert } })
    expect([foreign.status, foreign.body]).toMatchObject([400, { errorMessages: { user_role_id: 'does not exist' } }])
    expect((await http.put(path, { User: { email: office.trainee.username.toUpperCase() } })).status).toBe(200)
  })

  it('sets a password, which no answer contains', async () => {
    const { office, http } = await here()
    const { id, username } = office.trainee
    expect((await http.put(`/user/${id}`, { User: { password: 'another password' } })).body).toEqual(done)
    await auth.signIn({ username, password: 'another password' })
    const answers = [
      await http.get(`/user/${id}`),
      await http.get('/user'),
      await http.get('/user/me'),
      await http.get(`/user?sort=-modified`),
    ]
    for (const { text } of answers) expect(text).not.toMatch(/password|argon2/)
  })
})

describe('DELETE /rest/user/{id}', () => {
  it('deactivates the person, whose record stays and whose sessions end', async () => {
    const { office, http } = await here()
    const { id } = office.trainee
    expect((await http.delete(`/user/${id}`)).body).toEqual(done)
    expect((await http.get(`/user/${id}`)).body).toMatchObject({ User: { active: '0', email: office.trainee.username } })
    await expect(auth.signIn(office.trainee)).rejects.toThrow('invalid_grant')
    expect((await http.put(`/user/${id}`, { User: { active: 1 } })).status).toBe(200)
    await auth.signIn(office.trainee)
  })

  it('refuses to leave an office without an administrator: 409, and nothing changes', async () => {
    const { office, http, roleIds } = await here()
    const path = `/user/${office.administrator.id}`
    const demoted = { User: { user_role_id: roleIds.Expert } }
    const last = [await http.delete(path), await http.put(path, demoted), await http.put(path, { User: { active: 0 } })]
    for (const { status, body } of last) expect([status, body]).toMatchObject([409, { errorCode: 'LAST_ADMINISTRATOR' }])
    expect(versionOf(await http.get(path))).toBe(1)
    const second = await create(http, { user_role_id: roleIds.Administrator })
    expect((await http.put(`/user/${second}`, { User: { active: 0 } })).status).toBe(200)
    expect((await http.delete(path)).status).toBe(409)
    expect((await http.put(`/user/${second}`, { User: { active: 1 } })).status).toBe(200)
    expect((await http.delete(path)).status).toBe(200)
  })

  it('also if the last two are deactivated concurrently', async () => {
    const { office, http, roleIds } = await here()
    const second = newUser({ user_role_id: roleIds.Administrator, password: 'a new password' })
    const { id } = (await http.post<{ id: number }>('/user', second)).body
    const other = await auth.asExpert({ username: second.User.email, password: 'a new password' })
    // Each deactivates themselves, which the first may; the other one is then the last administrator.
    const statuses = await Promise.all([http.delete(`/user/${office.administrator.id}`), other.delete(`/user/${id}`)])
    expect(statuses.map(({ status }) => status).sort()).toEqual([200, 409])
  })
})
