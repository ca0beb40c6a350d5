import { randomUUID } from 'node:crypto'
import { registry } from '@caseway/registry'
import { eventually, type HttpClient, httpClient, type TestDatabase } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { migrateToday, readRecorded, restore, startToday } from './recorded.js'

const recorded = readRecorded('2026-11-21')
let databases: { auth: TestDatabase; cases: TestDatabase }
let today: Awaited<ReturnType<typeof startToday>>
let users: HttpClient
let api: HttpClient

beforeAll(async () => {
  databases = { auth: await restore(recorded, 'auth'), cases: await restore(recorded, registry.casesAndCounters.name) }
  // As if the older build had been stopped before it published, so that the copies are empty.
  await databases.auth.rows('UPDATE kit.outbox SET published_at = NULL')
  await databases.cases.rows('TRUNCATE users, customers, client_links')
  await migrateToday('auth', databases.auth)
  await migrateToday(registry.casesAndCounters.name, databases.cases)
  today = await startToday(databases)
  const { username, password } = recorded.account
  const login = { grant_type: 'password', client_id: recorded.client_id, username, password }
  const { body } = await httpClient(today.authUrl).post<{ access_token: string }>('/token', login)
  users = httpClient(today.authUrl, body.access_token)
  api = httpClient(today.casesUrl, body.access_token)
})
afterAll(async () => {
  await today?.stop()
  await Promise.all(Object.values(databases).map((database) => database.drop()))
})

describe('what an older build has left', () => {
  it("are events that today's consumers take", async () => {
    const rows = recorded.services[registry.casesAndCounters.name]?.rows ?? {}
    const people = async () => ({
      users: await databases.cases.rows('SELECT id::int, active, revision::int, customer_id::int FROM users ORDER BY id'),
      customers: await databases.cases.rows('SELECT id::int, revision::int, time_zone FROM customers ORDER BY id'),
    })
    await eventually(async () => expect(await people()).toMatchObject({ users: rows['public.users'], customers: rows['public.customers'] }))
    expect(await databases.cases.rows('SELECT error FROM kit.dead_letter')).toEqual([])
    expect(await databases.auth.rows('SELECT FROM kit.outbox WHERE published_at IS NULL')).toEqual([])
  })

  it.each(['/tag', '/issue', '/counter'])('is answered to GET %s as it was', async (path) => {
    expect((await api.get(path)).body).toMatchObject(recorded.answers[path] as object)
  })

  it('is answered to GET /user as it was, except for the last sign-in', async () => {
    const { body } = await users.get<{ User: { id: string; last_login: string } }[]>('/user')
    for (const { User } of body) if (User.id === recorded.account.user_id) User.last_login = expect.any(String) as unknown as string
    expect(recorded.answers['/user']).toEqual(body)
  })

  it('goes on: the next case has the next number, and the counters count on', async () => {
    const { body } = await api.get<{ Counter: { Issue: { my: number } } }>('/counter')
    const Issue = { subject: randomUUID(), user_id: recorded.account.user_id }
    const { status, headers } = await api.post('/issue', { Issue })
    expect(status).toBe(201)
    const path = `/issue/${headers.get('location')?.split('/').at(-1)}`
    expect((await api.get(path)).body).toMatchObject({ Issue: { number: '6' } })
    expect((await api.get('/counter')).body).toMatchObject({ Counter: { Issue: { my: body.Counter.Issue.my + 1 } } })
  })
})

describe('an event of a build that is newer than this one', () => {
  it('is handled without its unknown fields', async () => {
    const [row] = recorded.services.auth?.rows['kit.outbox']?.filter(({ topic }) => topic === 'auth.customer.v1') ?? []
    const known = Buffer.from(String(row?.payload).slice(2), 'hex')
    // Field 99, a string, is unknown to this build.
    const unknown = Buffer.from([0x9a, 0x06, 0x03, 0x6e, 0x65, 0x77])
    const id = randomUUID()
    const event = { id, topic: 'auth.customer.v1', key: '1', time: new Date(), headers: { ce_id: id, later: 'yes' } }
    await databases.cases.rows('TRUNCATE customers')
    await today.transport.publish([{ ...event, payload: Buffer.concat([known, unknown]) }])
    expect(await databases.cases.rows('SELECT id::int FROM customers')).toEqual([{ id: 1 }])
    expect(await databases.cases.rows('SELECT error FROM kit.dead_letter')).toEqual([])
  })
})
