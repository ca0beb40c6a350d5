import { rightTopic } from '@caseway/protos/topics'
import { type HttpAnswer, type HttpClient, having, versionOf } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { rights } from '../../src/roles/right.js'
import { type Auth, startAuthService } from '../support/auth.js'
import { type StaffedOffice, staffedOffice } from '../support/staffed-office.js'

let auth: Auth
beforeAll(async () => {
  auth = await startAuthService()
})
afterAll(() => auth.stop())

const done = { status: 'OK' }
const refused = { status: 'error', errorCode: 'FORBIDDEN', errorMessages: expect.any(String) }
const ofRole = (...keys: string[]) => keys.map((key) => ({ UserRolePermission: { key, allowed: '1' } }))
const ofUser = (allowed: string, ...keys: string[]) => keys.map((key) => ({ UserPermission: { key, allowed } }))

const takeFrom = async ({ administrator, office }: StaffedOffice, ...keys: string[]) =>
  expect((await administrator.put(`/user/${office.expert.id}/permission`, ofUser('0', ...keys))).status).toBe(200)

describe('GET /rest/user_role/{id}/permission', () => {
  const given: [role: string, has: (key: string) => boolean][] = [
    ['Administrator', () => true],
    ['Expert', () => true],
    ['Specialist', (key) => key.startsWith('mailbox.')],
    ['Trainee', (key) => key === 'mailbox.personal_mailbox'],
  ]
  it.each(given)('lists all rights, with whether an %s has them', async (role, has) => {
    const { roleIds, expert } = await staffedOffice(auth)
    const { status, body } = await expert.get(`/user_role/${roleIds[role]}/permission`)
    expect(status).toBe(200)
    expect(body).toEqual(rights.map((key) => ({ UserRolePermission: { key, allowed: has(key) ? '1' : '0' } })))
  })
})

describe('PUT of the permissions', () => {
  it('of a role replaces the differences from its base role', async () => {
    const { administrator, roleIds, office } = await staffedOffice(auth)
    const path = `/user_role/${roleIds.Trainee}/permission`
    const allowed = async () =>
      (await administrator.get<{ UserRolePermission: { key: string; allowed: string } }[]>(path)).body
        .filter(({ UserRolePermission }) => UserRolePermission.allowed === '1')
        .map(({ UserRolePermission }) => UserRolePermission.key)
    expect((await administrator.put(path, ofRole('reports.all', 'replies.approve'))).body).toEqual(done)
    expect(await allowed()).toEqual(['mailbox.personal_mailbox', 'reports.all', 'replies.approve'])
    const without = [{ UserRolePermission: { key: 'mailbox.personal_mailbox', allowed: 0 } }]
    expect((await administrator.put(path, without)).body).toEqual(done)
    expect(await allowed()).toEqual([])
    expect((await auth.signIn(office.trainee)).UserRolePermission.filter((each) => each.allowed === '1')).toEqual([])
    expect((await administrator.put(path, [])).body).toEqual(done)
    expect(await allowed()).toEqual(['mailbox.personal_mailbox'])
  })

  it.each([
    ['a role', 'UserRolePermission', 'UserRole', { name: 'Another' }, ({ roleIds }: StaffedOffice) => `/user_role/${roleIds.Trainee}`],
    ['a person', 'UserPermission', 'User', { phone: '1' }, ({ office }: StaffedOffice) => `/user/${office.trainee.id}`],
  ])('of %s, read before another change of them, is 412', async (_, wrapper, record, change, pathOf) => {
    const all = await staffedOffice(auth)
    const http = all.administrator
    const path = `${pathOf(all)}/permission`
    const sent = (key: string) => [{ [wrapper]: { key, allowed: '1' } }]
    const first = await http.get(path)
    expect((await http.get(path, having(first))).status).toBe(304)
    const put = (key: string, { headers }: Pick<HttpAnswer<unknown>, 'headers'>) =>
      http.put(path, sent(key), { 'if-match': headers.get('etag') ?? '' })
    expect((await put('reports.all', first)).status).toBe(200)
    const second = await http.get(path, having(first))
    expect([second.status, versionOf(second)]).toEqual([200, (versionOf(first) ?? 0) + 1])
    expect(await put('replies.approve', first)).toMatchObject({ status: 412, body: { errorCode: 'STALE' } })
    expect((await http.get(path)).body).toEqual(second.body)
    expect((await http.put(pathOf(all), { [record]: change })).status).toBe(200)
    expect((await put('replies.approve', second)).status).toBe(412)
    expect((await put('replies.approve', await http.get(path))).status).toBe(200)
    expect((await http.put(path, [])).status).toBe(200)
  })

  it.each(['users.manage', 'roles.manage'])('does not leave an office without somebody who can restore every right: %s', async (key) => {
    const { administrator, roleIds, office } = await staffedOffice(auth)
    const without = [{ UserRolePermission: { key, allowed: 0 } }]
    const last = [409, { errorCode: 'LAST_ADMINISTRATOR' }]
    const ofAll = await administrator.put(`/user_role/${roleIds.Administrator}/permission`, without)
    expect([ofAll.status, ofAll.body]).toMatchObject(last)
    const ofThem = await administrator.put(`/user/${office.administrator.id}/permission`, ofUser('0', key))
    expect([ofThem.status, ofThem.body]).toMatchObject(last)
    expect((await administrator.put(`/user_role/${roleIds.Expert}/permission`, without)).status).toBe(200)

    const second = { email: `second.${office.customerId}@office.test`, firstname: 'A', lastname: 'B', user_role_id: roleIds.Administrator }
    expect((await administrator.post('/user', { User: { ...second, password: 'a password of a second one' } })).status).toBe(201)
    expect((await administrator.put(`/user/${office.administrator.id}/permission`, ofUser('0', key))).status).toBe(200)
  })

  it('requires one person with all of them: two who share them do not suffice', async () => {
    const { administrator, roleIds, office } = await staffedOffice(auth)
    expect((await put(administrator, office.specialist.id, { user_role_id: roleIds.Administrator })).status).toBe(200)
    const takes = (id: bigint, key: string) => administrator.put(`/user/${id}/permission`, ofUser('0', key))
    expect((await takes(office.specialist.id, 'users.manage')).status).toBe(200)
    expect((await takes(office.administrator.id, 'roles.manage')).body).toMatchObject({ errorCode: 'LAST_ADMINISTRATOR' })
    expect((await administrator.delete(`/user/${office.administrator.id}`)).body).toMatchObject({ errorCode: 'LAST_ADMINISTRATOR' })
  })

  it('of a person replaces the differences from their role', async () => {
    const { administrator, office } = await staffedOffice(auth)
    const path = `/user/${office.trainee.id}/permission`
    expect((await administrator.get(path)).body).toEqual([])
    await administrator.put(path, ofUser('1', 'reports.all'))
    await administrator.put(path, ofUser('0', 'mailbox.personal_mailbox'))
    expect((await administrator.get(path)).body).toEqual(ofUser('0', 'mailbox.personal_mailbox'))
    expect((await auth.signIn(office.trainee)).UserPermission).toEqual([{ key: 'mailbox.personal_mailbox', allowed: '0' }])
  })

  const wrong: [what: string, sent: unknown, errorMessages: object][] = [
    ['no list', { UserPermission: { key: 'reports.all', allowed: '1' } }, { UserPermission: 'is required' }],
    ['an unknown right', ofUser('1', 'reports.all', 'everything'), { 1: 'is not a right' }],
    ['a right of the prototype', ofUser('1', 'constructor'), { 0: 'is not a right' }],
    ['another wrapper', ofRole('reports.all'), { 0: expect.stringContaining('UserPermission') }],
    ['no flag', [{ UserPermission: { key: 'reports.all' } }], { 0: expect.stringContaining('allowed') }],
    ['a wrong flag', ofUser('yes', 'reports.all'), { 0: expect.stringContaining('allowed') }],
    ['nothing in it', [null, 5, {}], { 0: expect.any(String), 1: expect.any(String), 2: expect.any(String) }],
    ['a right twice', ofUser('1', 'reports.all', 'reports.all'), { UserPermission: 'names a right twice' }],
  ]
  it.each(wrong)('refuses %s, and changes nothing', async (_, sent, errorMessages) => {
    const { administrator, office } = await staffedOffice(auth)
    const path = `/user/${office.trainee.id}/permission`
    await administrator.put(path, ofUser('1', 'reports.all'))
    const { status, body } = await administrator.put(path, sent)
    expect([status, body]).toEqual([400, { status: 'error', errorMessages }])
    expect((await administrator.get(path)).body).toEqual(ofUser('1', 'reports.all'))
  })
})

describe('auth.right.v1', () => {
  it('names the people whose rights a change of their role or of their own permissions concerns', async () => {
    const { administrator, office, roleIds } = await staffedOffice(auth)
    const { customerId, trainee, specialist } = office
    expect((await administrator.put(`/user_role/${roleIds.Trainee}/permission`, ofRole('reports.all'))).status).toBe(200)
    expect((await administrator.put(`/user/${specialist.id}/permission`, ofUser('1', 'reports.all'))).status).toBe(200)
    expect((await administrator.put(`/user/${specialist.id}/permission`, ofUser('1', 'everything'))).status).toBe(400)
    const unused = (await administrator.post<{ id: number }>('/user_role', { UserRole: { name: 'Of nobody' } })).body.id
    expect((await administrator.put(`/user_role/${unused}/permission`, ofRole('reports.all'))).status).toBe(200)
    const published = (await auth.published(rightTopic)).filter(({ event }) => event.customerId === customerId)
    expect(published).toEqual([trainee, specialist].map(({ id }) => ({ key: String(customerId), event: { customerId, userIds: [id] } })))
  })
})

describe('a right that is revoked', () => {
  it('is missing with the next request: users.manage', async () => {
    const all = await staffedOffice(auth)
    const { expert, office, roleIds } = all
    const changes = () => expert.put(`/user/${office.trainee.id}`, { User: { firstname: 'Eva' } })
    expect((await changes()).status).toBe(200)
    await takeFrom(all, 'users.manage')
    const user = { User: { email: 'x@office.test', firstname: 'A', lastname: 'B', user_role_id: roleIds.Trainee } }
    const answers = [await changes(), await expert.post('/user', user), await expert.delete(`/user/${office.trainee.id}`)]
    for (const { status, body } of [...answers, await expert.put('/user/1', user)]) expect([status, body]).toEqual([403, refused])
    expect((await expert.put(`/user_role/${roleIds.Trainee}`, { UserRole: { name: 'Junior' } })).status).toBe(200)
  })

  it('is missing with the next request: roles.manage, also when the role loses it', async () => {
    const { expert, administrator, office, roleIds } = await staffedOffice(auth)
    const path = `/user_role/${roleIds.Trainee}`
    expect((await expert.put(path, { UserRole: { name: 'Junior' } })).status).toBe(200)
    const without = [{ UserRolePermission: { key: 'roles.manage', allowed: '0' } }]
    expect((await administrator.put(`/user_role/${roleIds.Expert}/permission`, without)).status).toBe(200)
    const answers = [
      await expert.put(path, { UserRole: { name: 'B' } }),
      await expert.post('/user_role', { UserRole: { name: 'B' } }),
      await expert.delete(path),
      await expert.put(`${path}/permission`, []),
      await expert.put(`/user/${office.trainee.id}/permission`, []),
      await expert.put('/user_role/1/permission', []),
    ]
    for (const { status, body } of answers) expect([status, body]).toEqual([403, refused])
    expect((await expert.get(`${path}/permission`)).status).toBe(200)
  })
})

describe('nobody grants a right that they lack', () => {
  it.each<[what: string, gives: (all: StaffedOffice) => Promise<{ status: number; body: unknown }>]>([
    ['to a person', ({ expert, office }) => expert.put(`/user/${office.trainee.id}/permission`, ofUser('1', 'reports.all'))],
    ['to a role', ({ expert, roleIds }) => expert.put(`/user_role/${roleIds.Trainee}/permission`, ofRole('reports.all'))],
    ['with a new role', ({ expert }) => expert.post('/user_role', { UserRole: { name: 'B', base_role: 2 } })],
    ['with another base role', ({ expert, roleIds }) => expert.put(`/user_role/${roleIds.Trainee}`, { UserRole: { base_role: 2 } })],
    ['with another role', ({ expert, office, roleIds }) => put(expert, office.trainee.id, { user_role_id: roleIds.Administrator })],
    ['to somebody new', ({ expert, roleIds }) => expert.post('/user', { User: { ...newcomer, user_role_id: roleIds.Expert } })],
    [
      'to themselves, by the password of somebody who has it',
      ({ expert, office }) => put(expert, office.administrator.id, { password: 'their password' }),
    ],
    [
      'to themselves, by the address of somebody who has it',
      ({ expert, office }) => put(expert, office.administrator.id, { email: 'their@office.test' }),
    ],
  ])('%s', async (_, gives) => {
    const all = await staffedOffice(auth)
    await takeFrom(all, 'reports.all')
    const { status, body } = await gives(all)
    expect([status, body]).toEqual([403, refused])
    await auth.signIn(all.office.administrator)
  })

  it('by activating a person who has it', async () => {
    const all = await staffedOffice(auth)
    const { administrator, expert, office, roleIds } = all
    expect((await put(administrator, office.trainee.id, { user_role_id: roleIds.Expert, active: 0 })).status).toBe(200)
    await takeFrom(all, 'reports.all')
    expect((await put(expert, office.trainee.id, { active: 1 })).body).toEqual(refused)
    expect((await put(administrator, office.trainee.id, { active: 1 })).status).toBe(200)
  })

  it('but a right that a person has already may stay, and those of the caller can be granted', async () => {
    const all = await staffedOffice(auth)
    const { administrator, expert, office, roleIds } = all
    const path = `/user/${office.trainee.id}/permission`
    await administrator.put(path, ofUser('1', 'reports.all'))
    await takeFrom(all, 'reports.all')
    expect((await expert.put(path, ofUser('1', 'reports.all', 'replies.approve'))).body).toEqual(done)
    expect((await put(expert, office.trainee.id, { user_role_id: roleIds.Specialist, firstname: 'Eva' })).status).toBe(200)
    expect((await put(expert, office.specialist.id, { password: 'their password' })).status).toBe(200)
    expect((await put(expert, office.administrator.id, { firstname: 'Eva', email: office.administrator.username })).status).toBe(200)
  })
})

const newcomer = { email: 'newcomer@office.test', firstname: 'Eva', lastname: 'Lis' }
const put = (http: HttpClient, id: bigint, User: object) => http.put(`/user/${id}`, { User })
