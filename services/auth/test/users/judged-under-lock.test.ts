import { randomUUID } from 'node:crypto'
import { holdTransaction, untilWaiting } from '@caseway/testing/held-transaction'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Auth, startAuthService } from '../support/auth.js'
import { ownPath, secondFactors } from '../support/second-factor.js'
import { type StaffedOffice, staffedOffice } from '../support/staffed-office.js'

let auth: Auth
beforeAll(async () => {
  auth = await startAuthService()
})
afterAll(() => auth.stop())

/** Starts `calls` while another transaction has run `sql` and not committed it, commits it once all calls wait for it, and returns their answers. */
async function meanwhile<T>(sql: string, values: unknown[], ...calls: (() => Promise<T>)[]): Promise<T[]> {
  const other = await holdTransaction(auth.database, sql, values)
  const answers = Promise.all(calls.map((call) => call()))
  await untilWaiting(auth.database, calls.length)
  await other.commit()
  return answers
}

const row = async (table: string, id: unknown) => (await auth.database.rows(`SELECT * FROM ${table} WHERE id = $1`, [String(id)]))[0]

describe('a person who is promoted concurrently', () => {
  type Call = (all: StaffedOffice, path: string) => Promise<{ status: number }>
  const ways: [what: string, call: Call][] = [
    ['password', ({ expert }, path) => expert.put(path, { User: { password: 'a new password' } })],
    ['address', ({ expert }, path) => expert.put(path, { User: { email: `${randomUUID()}@office.test` } })],
    ['role', ({ expert, roleIds }, path) => expert.put(path, { User: { user_role_id: roleIds.Specialist } })],
    ['active', ({ expert }, path) => expert.put(path, { User: { active: 0 } })],
    ['removal', ({ expert }, path) => expert.delete(path)],
    ['permissions', ({ expert }, path) => expert.put(`${path}/permission`, [{ UserPermission: { key: 'replies.approve', allowed: '1' } }])],
  ]
  it.each(ways)('cannot be changed by callers below them: %s', async (_, call) => {
    const all = await staffedOffice(auth)
    const { id } = all.office.trainee
    const promotion = 'UPDATE users SET user_role_id = $1 WHERE id = $2'
    const [answer] = await meanwhile(promotion, [all.roleIds.Administrator, String(id)], () => call(all, `/user/${id}`))
    expect(answer?.status).toBe(403)
    // The promotion is version 2; the refused change made no version 3.
    expect(await row('users', id)).toMatchObject({ user_role_id: all.roleIds.Administrator, active: true, version: 2 })
    expect(await auth.database.rows('SELECT FROM user_permissions WHERE user_id = $1', [String(id)])).toEqual([])
    await auth.signIn(all.office.trainee)
  })

  it.each(ways)('nor if their role is promoted: %s', async (_, call) => {
    const all = await staffedOffice(auth)
    const { body } = await all.administrator.post<{ id: number }>('/user_role', { UserRole: { name: 'Own' } })
    const { id } = all.office.trainee
    expect((await all.administrator.put(`/user/${id}`, { User: { user_role_id: body.id } })).status).toBe(200)
    const before = await row('users', id)
    const promotion = 'UPDATE user_roles SET base_role = 1 WHERE id = $1'
    const [answer] = await meanwhile(promotion, [body.id], () => call(all, `/user/${id}`))
    expect(answer?.status).toBe(403)
    expect(await row('users', id)).toEqual(before)
  })
})

describe('a role that is promoted concurrently', () => {
  type Call = (all: StaffedOffice, path: string) => Promise<{ status: number }>
  const permission = [{ UserRolePermission: { key: 'replies.approve', allowed: '1' } }]
  const ways: [what: string, call: Call][] = [
    ['its name', ({ expert }, path) => expert.put(path, { UserRole: { name: 'Another' } })],
    ['its base role', ({ expert }, path) => expert.put(path, { UserRole: { base_role: 3 } })],
    ['its permissions', ({ expert }, path) => expert.put(`${path}/permission`, permission)],
    ['its removal', ({ expert }, path) => expert.delete(path)],
  ]
  it.each(ways)('cannot be edited by callers below it: %s', async (_, call) => {
    const all = await staffedOffice(auth)
    const { body } = await all.administrator.post<{ id: number }>('/user_role', { UserRole: { name: 'Own' } })
    const promotion = 'UPDATE user_roles SET base_role = 1 WHERE id = $1'
    const [answer] = await meanwhile(promotion, [body.id], () => call(all, `/user_role/${body.id}`))
    expect(answer?.status).toBe(403)
    expect(await row('user_roles', body.id)).toMatchObject({ name: 'Own', base_role: 1, version: 2 })
    expect(await auth.database.rows('SELECT FROM user_role_permissions WHERE user_role_id = $1', [body.id])).toEqual([])
  })

  it('cannot be assigned by callers below it', async () => {
    const all = await staffedOffice(auth)
    const { body } = await all.administrator.post<{ id: number }>('/user_role', { UserRole: { name: 'Own' } })
    const promotion = 'UPDATE user_roles SET base_role = 1 WHERE id = $1'
    const User = { email: `${randomUUID()}@office.test`, firstname: 'A', lastname: 'B', user_role_id: body.id }
    const calls = [
      () => all.expert.post('/user', { User }),
      () => all.expert.put(`/user/${all.office.trainee.id}`, { User: { user_role_id: body.id } }),
    ]
    expect((await meanwhile(promotion, [body.id], ...calls)).map(({ status }) => status)).toEqual([403, 403])
    expect(await auth.database.rows('SELECT FROM users WHERE user_role_id = $1', [body.id])).toEqual([])
  })
})

describe('the last two administrators', () => {
  it('cannot remove each other concurrently', async () => {
    const { office, administrator, roleIds } = await staffedOffice(auth)
    expect((await administrator.put(`/user/${office.specialist.id}`, { User: { user_role_id: roleIds.Administrator } })).status).toBe(200)
    const second = await auth.asExpert(office.specialist)
    // Whoever has counted the administrators waits here before the commit; another one must not count the same meanwhile.
    const sessions = 'SELECT FROM sessions WHERE user_id = ANY($1) FOR UPDATE'
    const both = [String(office.administrator.id), String(office.specialist.id)]
    const answers = await meanwhile(
      sessions,
      [both],
      () => administrator.delete(`/user/${office.specialist.id}`),
      () => second.delete(`/user/${office.administrator.id}`),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await auth.database.rows('SELECT FROM users WHERE id = ANY($1) AND active', [both])).toHaveLength(1)
  })
})

describe('the last two people with users.manage', () => {
  it('do not both lose it concurrently', async () => {
    const { office, administrator, roleIds } = await staffedOffice(auth)
    const promoted = await administrator.put(`/user/${office.specialist.id}`, { User: { user_role_id: roleIds.Administrator } })
    expect(promoted.status).toBe(200)
    const ids = [office.administrator.id, office.specialist.id]
    const without = [{ UserPermission: { key: 'users.manage', allowed: '0' } }]
    const lock = 'SELECT FROM customers WHERE id = $1 FOR UPDATE'
    const calls = ids.map((id) => () => administrator.put(`/user/${id}/permission`, without))
    const answers = await meanwhile(lock, [String(office.customerId)], ...calls)
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })
})

describe('a sign-in of a person who is changed concurrently', () => {
  it('waits for the change without blocking it, and gets the new role', async () => {
    const { office, roleIds } = await staffedOffice(auth)
    const { id } = office.trainee
    const change = await holdTransaction(auth.database, 'SELECT FROM users WHERE id = $1 FOR UPDATE', [String(id)])
    const answer = auth.signsIn(office.trainee)
    await untilWaiting(auth.database, 1)
    await change.query('SELECT FROM user_roles WHERE customer_id = $1 FOR UPDATE', [String(office.customerId)])
    await change.query('SELECT FROM customers WHERE id = $1 FOR UPDATE', [String(office.customerId)])
    await change.query('UPDATE users SET user_role_id = $1 WHERE id = $2', [roleIds.Expert, String(id)])
    await change.commit()
    const { status, body } = await answer
    expect([status, body]).toMatchObject([200, { UserRole: { name: 'Expert' } }])
  })
})

describe('a sign-in with an address that is changed concurrently', () => {
  it.each([
    ['users', 'expert', async () => (await auth.office()).trainee],
    ['clients', 'client', async () => auth.client(await auth.office())],
  ] as const)('begins no session: %s', async (table, address, someone) => {
    const { id, ...person } = await someone()
    const change = `UPDATE ${table} SET email = $2 WHERE id = $1`
    const [answer] = await meanwhile(change, [String(id), `${randomUUID()}@office.test`], () => auth.signsIn(person, address))
    expect([answer?.status, answer?.body]).toMatchObject([400, { error: 'invalid_grant' }])
  })
})

describe('concurrent changes of a password with the same current one', () => {
  it.each([
    ['users', 'expert', '/user/me', 'User', async () => (await auth.office()).trainee],
    ['clients', 'client', '/client/me', 'Client', async () => auth.client(await auth.office())],
  ] as const)('are one: of %s the second is told that the present one is another', async (table, address, path, wrapper, someone) => {
    const person = await someone()
    const change = (own: object) => ({ [wrapper]: { current_password: person.password, ...own } })
    const lock = `SELECT FROM ${table} WHERE id = $1 FOR UPDATE`
    const signedIn = async () => auth.http(address, (await auth.signIn(person, address)).access_token)
    const [first, second] = [await signedIn(), await signedIn()]
    const answers = await meanwhile(
      lock,
      [String(person.id)],
      () => first.put(path, change({ password: 'the first password' })),
      () => second.put(path, change({ password: 'the other password' })),
    )
    const wrong = { status: 'error', errorMessages: { current_password: 'is incorrect' } }
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    expect(answers.find(({ status }) => status === 400)?.body).toEqual(wrong)
    const kept = answers[0]?.status === 200 ? 'the first password' : 'the other password'
    await auth.signIn({ ...person, password: kept }, address)
  })
})

describe.each(['expert', 'client'] as const)('a second factor, on the address of each %s', (address) => {
  it.each([
    ['POST', '', 'begun'],
    ['POST', '/recovery_code', 'its codes are renewed'],
    ['DELETE', '', 'switched off'],
  ])('is not changed with a password that is the present one no more: %s %s, %s', async (method, below) => {
    const office = await auth.office()
    const person = address === 'client' ? await auth.client(office) : office.trainee
    const http = auth.http(address, (await auth.signIn(person, address)).access_token)
    const { codes } = await secondFactors(() => auth).setUp(http, person, address)
    const path = ownPath[address]
    const before = await http.get(path)
    const sent = { SecondFactor: { current_password: person.password, otp: codes[0] } }
    const change = `UPDATE ${address === 'client' ? 'clients' : 'users'} SET password_hash = 'another' WHERE id = $1`
    const [answer] = await meanwhile(change, [String(person.id)], () => http.request(method, `${path}${below}`, sent))
    const wrong = { status: 'error', errorMessages: { current_password: 'is incorrect' } }
    expect([answer?.status, answer?.body]).toEqual([400, wrong])
    expect((await http.get(path)).body).toEqual(before.body)
  })
})

describe('concurrent replacements of a list of permissions', () => {
  it.each([
    ['a person', 'UserPermission', ({ office }: StaffedOffice) => `/user/${office.trainee.id}/permission`],
    ['a role', 'UserRolePermission', ({ roleIds }: StaffedOffice) => `/user_role/${roleIds.Trainee}/permission`],
  ])('follow one another: %s', async (_, wrapper, pathOf) => {
    const all = await staffedOffice(auth)
    const path = pathOf(all)
    const keys = ['reports.all', 'users.manage', 'replies.approve']
    const sent = keys.map((key) => [key, ...keys.filter((other) => other < key)].map((key) => ({ [wrapper]: { key, allowed: '1' } })))
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => all.administrator.put(path, sent[index % 3])))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    const table = wrapper === 'UserPermission' ? 'user_permissions' : 'user_role_permissions'
    const kept = await auth.database.rows<{ key: string }>(`SELECT key FROM ${table} WHERE customer_id = $1 ORDER BY key`, [
      String(all.office.customerId),
    ])
    const lists = sent.map((list) => list.map((each) => (each[wrapper] as { key: string }).key).sort())
    expect(lists).toContainEqual(kept.map(({ key }) => key))
  })

  it('wait for the lock of the row', async () => {
    const all = await staffedOffice(auth)
    const sent = [{ UserPermission: { key: 'reports.all', allowed: '1' } }]
    const path = `/user/${all.office.trainee.id}/permission`
    const calls = [() => all.administrator.put(path, sent), () => all.administrator.put(path, sent)]
    const answers = await meanwhile('SELECT FROM users WHERE id = $1 FOR UPDATE', [String(all.office.trainee.id)], ...calls)
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
  })
})
