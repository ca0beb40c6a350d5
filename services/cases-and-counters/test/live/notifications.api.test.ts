import type { HttpClient, Person, TestTenant } from '@caseway/testing'
import { randomId, testTechnical, versionOf } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Cases, openIssue, startCases } from '../support/cases.js'

let cases: Cases
beforeAll(async () => {
  cases = await startCases()
})
afterAll(() => cases.stop())

interface Notification {
  id: string
  user_id: string
  issue_id: string
  status: string
  type: string
}
const seen = { Notification: { status: 'seen' } }
const done = { status: 'OK' }

async function listOf(http: HttpClient, query = ''): Promise<Notification[]> {
  const { body } = await http.get<{ Notification: Notification }[]>(`/notification${query}`)
  return body.map(({ Notification }) => Notification)
}

const assignTo = ({ userId }: Person<unknown>) => ({ user_id: String(userId) })

/** Creates an office whose expert has opened cases for the specialist. */
async function withNotifications(count: number) {
  const office: TestTenant = cases.office()
  const [expert, specialist] = [cases.asExpert(office.expert), cases.asExpert(office.specialist)]
  const issues: number[] = []
  for (let i = 0; i < count; i++) issues.push(await openIssue(expert, assignTo(office.specialist)))
  return { office, expert, specialist, issues, first: (await listOf(specialist)).at(-1)?.id ?? '' }
}

describe('GET /rest/notification', () => {
  it('lists the caller’s own, newest first, as specified', async () => {
    const { office, expert, specialist, issues } = await withNotifications(2)
    const { body } = await specialist.get('/notification')
    const of = (issue: number | undefined) => ({
      Notification: {
        id: expect.stringMatching(/^\d+$/),
        user_id: String(office.specialist.userId),
        from_user_id: String(office.expert.userId),
        issue_id: String(issue),
        status: 'new',
        type: 'issue_assigned',
        created: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      },
    })
    expect(body).toEqual([of(issues[1]), of(issues[0])])
    expect(await listOf(expert)).toEqual([])
  })

  it('has pages, filters and one by id', async () => {
    const { specialist, issues, first } = await withNotifications(3)
    const page = await specialist.get<{ Notification: Notification }[]>('/notification?limit=2&count=1')
    expect(page.headers.get('x-total-count')).toBe('3')
    const next = /\/rest(\/notification\?[^>]*)>/.exec(page.headers.get('link') ?? '')?.[1]
    expect((await specialist.get(next ?? '')).body).toMatchObject([{ Notification: { issue_id: String(issues[0]) } }])
    await specialist.put(`/notification/${first}`, seen)
    expect((await listOf(specialist, '?status=seen')).map(({ id }) => id)).toEqual([first])
    expect(await listOf(specialist, '?status=new&sort=id')).toMatchObject([
      { issue_id: String(issues[1]) },
      { issue_id: String(issues[2]) },
    ])
    const one = await specialist.get(`/notification/${first}`)
    expect([versionOf(one), one.body]).toMatchObject([2, { Notification: { id: first, status: 'seen' } }])
  })
})

describe('a change of a case notifies', () => {
  it('its new owner and its delegate, each once', async () => {
    const { expert, specialist, trainee } = cases.office()
    const http = cases.asExpert(expert)
    const id = await openIssue(http, assignTo(specialist))
    await cases.asExpert(specialist).put(`/issue/${id}`, { Issue: { status: 'open', subject: 'Mine' } })
    await cases.asExpert(specialist).put(`/issue/${id}`, { Issue: { delegated_user_id: String(trainee.userId) } })
    await http.put(`/issue/${id}`, { Issue: { subject: 'Another subject', ...assignTo(specialist) } })
    expect(await listOf(cases.asExpert(specialist))).toMatchObject([{ type: 'issue_assigned' }])
    const ofDelegate = { type: 'issue_delegated', from_user_id: String(specialist.userId), issue_id: String(id) }
    expect(await listOf(cases.asExpert(trainee))).toMatchObject([ofDelegate])
  })

  it('nobody of their own changes', async () => {
    const { expert } = cases.office()
    const http = cases.asExpert(expert)
    await openIssue(http, assignTo(expert))
    const taken = await openIssue(http)
    await http.put(`/issue/${taken}`, { Issue: { status: 'open' } })
    expect(await listOf(http)).toEqual([])
  })

  it('a person again who gets the case again', async () => {
    const { expert, specialist, trainee } = cases.office()
    const http = cases.asExpert(expert)
    const id = await openIssue(http, assignTo(specialist))
    await http.put(`/issue/${id}`, { Issue: assignTo(trainee) })
    await http.put(`/issue/${id}`, { Issue: assignTo(specialist) })
    expect(await listOf(cases.asExpert(specialist))).toHaveLength(2)
  })

  it('nobody when the change is undone', async () => {
    const { office, expert, specialist, issues } = await withNotifications(1)
    const sent = { Issue: { status: 'closed', ...assignTo(office.trainee) } }
    expect((await expert.put(`/issue/${issues[0]}`, sent)).status).toBe(409)
    expect(await listOf(cases.asExpert(office.trainee))).toEqual([])
    expect(await listOf(specialist)).toHaveLength(1)
  })
})

describe('PUT /rest/notification/{id}', () => {
  it('marks it as seen, idempotently', async () => {
    const { specialist, first } = await withNotifications(1)
    const path = `/notification/${first}`
    expect((await specialist.put(path, seen, { 'if-match': '"2"' })).status).toBe(412)
    expect((await specialist.put(path, seen)).body).toEqual(done)
    expect((await specialist.put(path, seen)).body).toEqual(done)
    expect(versionOf(await specialist.get(path))).toBe(2)
    expect(await listOf(specialist)).toMatchObject([{ status: 'seen' }])
  })

  it('changes nothing when nothing is sent', async () => {
    const { specialist, first } = await withNotifications(1)
    expect((await specialist.put(`/notification/${first}`, { Notification: {} })).body).toEqual(done)
    expect(await listOf(specialist)).toMatchObject([{ status: 'new' }])
  })

  it('changes nothing else', async () => {
    const { office, specialist, first } = await withNotifications(1)
    const before = await listOf(specialist)
    const readOnly = { id: '1', user_id: String(office.expert.userId), from_user_id: '1', issue_id: '1', type: 'mail_error' }
    await specialist.put(`/notification/${first}`, { Notification: { ...readOnly, created: '2020-01-01 00:00:00', status: 'seen' } })
    expect(await listOf(specialist)).toEqual([{ ...before[0], status: 'seen' }])
  })

  it.each([{ status: 'new' }, { status: 'gone' }, { status: null }])('refuses %j', async (Notification) => {
    const { specialist, first } = await withNotifications(1)
    const { status, body } = await specialist.put(`/notification/${first}`, { Notification })
    expect([status, body]).toEqual([400, { status: 'error', errorMessages: { status: expect.any(String) } }])
    expect(await listOf(specialist)).toMatchObject([{ status: 'new' }])
  })

  it('gets the same 404 for one of a colleague or another office as for an unknown id', async () => {
    const { expert, first } = await withNotifications(1)
    const stranger = cases.asExpert(cases.office().specialist)
    for (const method of ['GET', 'PUT']) {
      const sent = method === 'PUT' ? seen : undefined
      const unknown = await expert.request(method, `/notification/${randomId()}`, sent)
      const answers = [
        await expert.request(method, `/notification/${first}`, sent),
        await stranger.request(method, `/notification/${first}`, sent),
      ]
      expect(answers.map(({ status, text }) => [status, text])).toEqual(Array(2).fill([404, unknown.text]))
    }
    expect(await cases.database.rows('SELECT status FROM notifications WHERE id = $1', [first])).toEqual([{ status: 'new' }])
  })
})

it('PUT /rest/notification marks all of the caller’s as seen, and no others', async () => {
  const { office, expert, specialist, issues } = await withNotifications(3)
  await expert.put(`/issue/${issues[0]}`, { Issue: assignTo(office.trainee) })
  expect((await specialist.put('/notification', seen)).body).toEqual(done)
  expect((await listOf(specialist)).map(({ status }) => status)).toEqual(['seen', 'seen', 'seen'])
  expect(await listOf(cases.asExpert(office.trainee))).toMatchObject([{ status: 'new' }])
  for (const sent of [undefined, {}, { Notification: {} }]) expect((await specialist.put('/notification', sent)).status).toBe(200)
})

it.each([
  ['another status', { Notification: { status: 'open' } }, { status: 'must be one of new, seen' }],
  ['the status new', { Notification: { status: 'new' } }, { status: 'must be seen' }],
  ['another wrapper', { Issue: { status: 'seen' } }, { Notification: 'is required' }],
])('PUT /rest/notification with %s is refused, as for one notification, and marks none', async (_, sent, errorMessages) => {
  const { specialist, first } = await withNotifications(1)
  for (const path of ['/notification', `/notification/${first}`]) {
    const { status, body } = await specialist.put(path, sent)
    expect([status, body]).toEqual([400, { status: 'error', errorMessages }])
  }
  expect(await listOf(specialist)).toMatchObject([{ status: 'new' }])
})

it('the new notifications of a deleted case become seen, and no others', async () => {
  const { expert, specialist, issues } = await withNotifications(2)
  await expert.delete(`/issue/${issues[0]}`)
  const [kept, gone] = await listOf(specialist)
  expect(kept).toMatchObject({ issue_id: String(issues[1]), status: 'new' })
  expect(gone).toMatchObject({ issue_id: String(issues[0]), status: 'seen' })
})

describe('access by role', () => {
  it.each([
    ['GET', '/notification'],
    ['GET', '/notification/1'],
    ['PUT', '/notification/1'],
    ['PUT', '/notification'],
  ] as const)('%s %s: refused without a token, for technical accounts and for clients', async (method, path) => {
    const office = cases.office()
    const sent = method === 'PUT' ? seen : undefined
    expect((await cases.asExpert(office.expert).as(undefined).request(method, path, sent)).status).toBe(401)
    expect((await cases.asExpert(testTechnical(cases.issuer)).request(method, path, sent)).status).toBe(403)
    expect((await cases.asExpert(cases.client(office)).request(method, path, sent)).status).toBe(401)
    expect((await cases.asClient(cases.client(office)).request(method, path, sent)).status).toBe(404)
  })

  it('nobody creates or deletes one', async () => {
    const { specialist, first } = await withNotifications(1)
    expect((await specialist.post('/notification', seen)).status).toBe(405)
    expect((await specialist.delete(`/notification/${first}`)).status).toBe(405)
  })
})
