import type { EmployeeRole } from '@caseway/kit/caller'
import { groupTopic } from '@caseway/protos/topics'
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
interface Members {
  Group: Record<string, string>
  UserGroup: { user_id: string; group_id: string }[]
}

const create = async (http: HttpClient, name = 'Accounts') => (await http.post<{ id: number }>('/group', { Group: { name } })).body.id
const add = (http: HttpClient, user_id: unknown, group_id: unknown) =>
  http.post<{ id: number }>('/group/user_group', { UserGroup: { user_id: String(user_id), group_id: String(group_id) } })
const part = (http: HttpClient, user_id: unknown, group_id: unknown) =>
  http.delete(`/group/user_group?user_id=${user_id}&group_id=${group_id}`)
const members = async (http: HttpClient, query = '') => (await http.get<Members[]>(`/group/user_group${query}`)).body
/** The events of a group so far. */
const published = async (id: number) => (await auth.published(groupTopic)).filter(({ event }) => event.id === BigInt(id))

describe('/rest/group', () => {
  it('creates, shows, lists, renames and deletes', async () => {
    const { http } = await signedInOffice(auth, 'expert')
    const { status, headers, body } = await http.post<{ id: number }>('/group', {
      Group: { name: 'Accounts', customer_id: '1', deleted: '1' },
    })
    expect([status, body]).toEqual([201, { id: expect.any(Number) }])
    expect(headers.get('location')).toBe(`${expertUrl}/rest/group/${body.id}`)
    const Group = { id: String(body.id), name: 'Accounts', created: timestamp, modified: timestamp }
    const shown = await http.get(`/group/${body.id}`)
    expect(shown.body).toEqual({ Group })
    expect((await http.get('/group')).body).toEqual([{ Group }])

    const etag = shown.headers.get('etag') ?? ''
    expect((await http.put(`/group/${body.id}`, { Group: { name: 'Taxes' } }, { 'if-match': etag })).body).toEqual(done)
    expect((await http.put(`/group/${body.id}`, { Group: { name: 'Law' } }, { 'if-match': etag })).status).toBe(412)
    expect((await http.delete(`/group/${body.id}`, { 'if-match': etag })).status).toBe(412)
    expect((await http.get('/group?sort=name')).body).toMatchObject([{ Group: { name: 'Taxes' } }])

    expect((await http.delete(`/group/${body.id}`)).body).toEqual(done)
    expect((await http.get('/group?count=1')).headers.get('x-total-count')).toBe('0')
    for (const call of [http.get, http.delete]) expect((await call(`/group/${body.id}`)).status).toBe(404)
    expect((await http.put(`/group/${body.id}`, { Group: { name: 'Law' } })).status).toBe(404)
  })

  it.each([{}, { name: ' ' }, { name: null }, { name: 'x'.repeat(101) }, { name: 'a\nb' }])('refuses %j', async (Group) => {
    const { http } = await signedInOffice(auth, 'expert')
    const { status, body } = await http.post('/group', { Group })
    expect([status, body]).toEqual([400, { status: 'error', errorMessages: { name: expect.any(String) } }])
  })

  it.each<[EmployeeRole, number]>([
    ['administrator', 201],
    ['expert', 201],
    ['specialist', 403],
    ['trainee', 403],
  ])('is read by every employee, and written by an %s with %i', async (role, status) => {
    const { office, http } = await signedInOffice(auth, 'expert')
    const id = await create(http)
    const as = await auth.asExpert(office[role])
    expect((await as.get(`/group/${id}`)).status).toBe(200)
    expect(await members(as)).toHaveLength(1)
    expect((await as.post('/group', { Group: { name: 'Taxes' } })).status).toBe(status)
    expect((await add(as, office.trainee.id, id)).status).toBe(status)
    const changed = status === 201 ? 200 : 403
    expect((await part(as, office.trainee.id, id)).status).toBe(changed)
    expect((await as.put(`/group/${id}`, { Group: { name: 'Taxes' } })).status).toBe(changed)
    expect((await as.delete(`/group/${id}`)).status).toBe(changed)
  })

  it('of another office is the same 404 as one that does not exist', async () => {
    const { http } = await signedInOffice(auth, 'expert')
    const { http: elsewhere } = await signedInOffice(auth, 'expert')
    const id = await create(elsewhere)
    for (const call of [http.get, http.delete, (path: string) => http.put(path, { Group: { name: 'Taxes' } })]) {
      const [foreign, missing] = [await call(`/group/${id}`), await call(`/group/${randomId()}`)]
      expect([foreign.status, foreign.text]).toEqual([404, missing.text])
    }
    expect((await http.get('/group')).body).toEqual([])
  })
})

describe('/rest/group/user_group', () => {
  it('lists every group with its members, also those without any', async () => {
    const { office, http } = await signedInOffice(auth, 'expert')
    const [first, second, empty] = [await create(http, 'A'), await create(http, 'B'), await create(http, 'C')]
    const pairs = [
      [office.expert.id, first],
      [office.trainee.id, second],
      [office.trainee.id, first],
    ] as const
    for (const [user, group] of pairs) expect((await add(http, user, group)).status).toBe(201)
    const Group = expect.objectContaining({ name: expect.any(String), created: timestamp, modified: timestamp })
    const member = (user: unknown, group: number) => ({ user_id: String(user), group_id: String(group) })
    expect(await members(http)).toEqual([
      { Group, UserGroup: [member(office.expert.id, first), member(office.trainee.id, first)] },
      { Group, UserGroup: [member(office.trainee.id, second)] },
      { Group, UserGroup: [] },
    ])
    expect((await members(http, '?limit=1&sort=-name')).map(({ Group }) => Group.id)).toEqual([String(empty)])
    expect(await members(await auth.asExpert((await auth.office()).expert))).toEqual([])
  })

  it('adds a member idempotently, with a `location`', async () => {
    const { office, http } = await signedInOffice(auth, 'expert')
    const id = await create(http)
    const { status, headers, body } = await add(http, office.trainee.id, id)
    expect([status, body]).toEqual([201, { id: expect.any(Number) }])
    expect(headers.get('location')).toBe(`${expertUrl}/rest/group/user_group/${body.id}`)
    const shown = await http.get(`/group/user_group/${body.id}`)
    const UserGroup = { user_id: String(office.trainee.id), group_id: String(id) }
    expect(shown.body).toEqual({ UserGroup: { id: String(body.id), ...UserGroup, created: timestamp, modified: timestamp } })
    const again = await Promise.all(Array.from({ length: 10 }, () => add(http, office.trainee.id, id)))
    expect(again.map(({ status, body }) => [status, body])).toEqual(again.map(() => [201, body]))
    expect(await members(http)).toMatchObject([{ UserGroup: [UserGroup] }])
    const elsewhere = (await signedInOffice(auth, 'expert')).http
    expect((await elsewhere.get(`/group/user_group/${body.id}`)).text).toBe((await elsewhere.get(`/group/user_group/${randomId()}`)).text)
  })

  it('refuses persons and groups that the office does not have, with one answer for all of them', async () => {
    const { office, http } = await signedInOffice(auth, 'expert')
    const { office: other, http: elsewhere } = await signedInOffice(auth, 'expert')
    const [id, deleted, foreign] = [await create(http), await create(http), await create(elsewhere)]
    await http.delete(`/group/${deleted}`)
    await (await auth.asExpert(office.administrator)).put(`/user/${office.specialist.id}`, { User: { active: 0 } })
    const missing = (...fields: string[]) => ({
      status: 'error',
      errorMessages: Object.fromEntries(fields.map((field) => [field, 'does not exist'])),
    })
    for (const user of [other.trainee.id, office.specialist.id, randomId()]) {
      const { status, body } = await add(http, user, id)
      expect([status, body]).toEqual([400, missing('user_id')])
    }
    for (const group of [foreign, deleted, randomId()]) {
      expect((await add(http, office.trainee.id, group)).body).toEqual(missing('group_id'))
      expect((await add(http, randomId(), group)).body).toEqual(missing('user_id', 'group_id'))
    }
    const { body } = await http.post('/group/user_group', { UserGroup: { user_id: 'x' } })
    expect(body).toMatchObject({ errorMessages: { user_id: 'must be an id', group_id: 'is required' } })
    expect((await http.post('/group/user_group', { UserGroup: { user_id: 'x', group_id: String(foreign) } })).body).toMatchObject({
      errorMessages: { user_id: 'must be an id', group_id: 'does not exist' },
    })
  })

  it('adds a member while their membership is being ended, which then ends', async () => {
    const { office, http } = await signedInOffice(auth, 'expert')
    const id = await create(http)
    await add(http, office.trainee.id, id)
    await auth.database.rows(`
      CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NULL; END $$;
      CREATE TRIGGER hold AFTER INSERT ON user_groups FOR EACH STATEMENT EXECUTE FUNCTION hold()`)
    const held = await holdTransaction(auth.database, 'SELECT pg_advisory_xact_lock(1)')
    const adding = add(http, office.trainee.id, id)
    await untilWaiting(auth.database, 1)
    const ending = part(http, office.trainee.id, id)
    await untilWaiting(auth.database, 2).finally(held.commit)
    expect([(await adding).status, (await ending).status]).toEqual([201, 200])
    await auth.database.rows('DROP TRIGGER hold ON user_groups; DROP FUNCTION hold')
  })

  it('ends a membership by the ids of person and group', async () => {
    const { office, http } = await signedInOffice(auth, 'expert')
    const id = await create(http)
    await add(http, office.trainee.id, id)
    await add(http, office.expert.id, id)
    expect((await part(http, office.trainee.id, id)).body).toEqual(done)
    expect(await members(http)).toMatchObject([{ UserGroup: [{ user_id: String(office.expert.id) }] }])
    const { http: elsewhere } = await signedInOffice(auth, 'expert')
    const answers = [
      await part(http, office.trainee.id, id),
      await part(elsewhere, office.expert.id, id),
      await part(elsewhere, randomId(), randomId()),
    ]
    expect(answers.map(({ status, text }) => [status, text])).toEqual(answers.map(() => [404, answers[0]?.text]))
    expect((await http.delete('/group/user_group?user_id=x&group_id=0')).body).toMatchObject({
      errorMessages: { user_id: 'must be an id', group_id: 'must be an id' },
    })
    const { status, body } = await http.delete('/group/user_group')
    expect([status, body]).toMatchObject([400, { errorMessages: { user_id: 'is required', group_id: 'is required' } }])
  })

  it('keeps deactivated people', async () => {
    const { office, http } = await signedInOffice(auth, 'expert')
    const id = await create(http)
    await add(http, office.trainee.id, id)
    await (await auth.asExpert(office.administrator)).delete(`/user/${office.trainee.id}`)
    expect(await members(http)).toMatchObject([{ UserGroup: [{ user_id: String(office.trainee.id), group_id: String(id) }] }])
  })

  it('ends memberships with the group, also one that is added concurrently', async () => {
    const { office, http } = await signedInOffice(auth, 'expert')
    const id = await create(http)
    await add(http, office.expert.id, id)
    const held = await holdTransaction(auth.database, 'SELECT FROM groups WHERE id = $1 FOR UPDATE', [id])
    const deleted = http.delete(`/group/${id}`)
    await untilWaiting(auth.database, 1)
    const joined = add(http, office.trainee.id, id)
    await untilWaiting(auth.database, 2)
    await held.commit()
    expect((await deleted).status).toBe(200)
    expect((await joined).body).toMatchObject({ errorMessages: { group_id: 'does not exist' } })
    expect(await auth.database.rows('SELECT FROM user_groups WHERE group_id = $1', [id])).toEqual([])
    // The remaining row contains no name.
    expect(await auth.database.rows('SELECT name, deleted FROM groups WHERE id = $1', [id])).toEqual([{ name: '', deleted: true }])
  })
})

describe('auth.group.v1', () => {
  it('contains the whole state of a group after each change, and its deletion', async () => {
    const { office, http } = await signedInOffice(auth, 'expert')
    const id = await create(http)
    await http.put(`/group/${id}`, { Group: { name: 'Taxes' } })
    await add(http, office.trainee.id, id)
    await http.delete(`/group/${id}`)
    const { customerId } = office
    const state = { id: BigInt(id), customerId, deleted: false }
    expect(await published(id)).toEqual(
      [
        { ...state, name: 'Accounts', revision: 1n },
        { ...state, name: 'Taxes', revision: 2n },
        { ...state, name: '', deleted: true, revision: 3n },
      ].map((event) => ({ event, key: String(customerId) })),
    )
  })

  it('is not published for refused changes, nor for those that change nothing', async () => {
    const { http } = await signedInOffice(auth, 'expert')
    const id = await create(http)
    expect((await http.put(`/group/${id}`, { Group: {} })).status).toBe(200)
    expect((await http.put(`/group/${id}`, { Group: { name: '' } })).status).toBe(400)
    expect((await http.delete(`/group/${id}`, { 'if-match': '"9"' })).status).toBe(412)
    expect(await published(id)).toHaveLength(1)
  })
})
