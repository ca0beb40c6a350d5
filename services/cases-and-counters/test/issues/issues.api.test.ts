import { randomUUID } from 'node:crypto'
import { type HttpClient, randomId, testTechnical } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Cases, expertUrl, openIssue, startCases } from '../support/cases.js'

let cases: Cases
beforeAll(async () => {
  cases = await startCases()
})
afterAll(() => cases.stop())

type Issue = Record<string, string | null>

const read = async (http: HttpClient, id: number) => (await http.get<{ Issue: Issue }>(`/issue/${id}`)).body.Issue
const put = (http: HttpClient, id: number, fields: Record<string, unknown>) => http.put(`/issue/${id}`, { Issue: fields })

/** Two colleagues of one office. */
const colleagues = () => {
  const office = cases.office()
  const { expert: anna, trainee: ben, specialist: clara } = office
  return { office, anna, ben, clara, asAnna: cases.asExpert(anna), asBen: cases.asExpert(ben), asClara: cases.asExpert(clara) }
}

describe('POST /rest/issue', () => {
  it('opens an unassigned case, with all fields', async () => {
    const { office, asAnna } = colleagues()
    const created = await asAnna.post<{ id: number }>('/issue', { Issue: { subject: 'Invoice', status: 'closed', number: 7 } })
    expect(created.status).toBe(201)
    expect(created.headers.get('location')).toBe(`${expertUrl}/rest/issue/${created.body.id}`)
    expect(await read(asAnna, created.body.id)).toEqual({
      ...{ id: String(created.body.id), customer_id: String(office.customerId), number: '1', subject: 'Invoice', status: 'new' },
      ...{ issue_subject_id: null, user_id: null, delegated_user_id: null, delegated_by: null, group_id: null },
      ...{ issue_initiator_id: null, user_client_id: null, provider_id: null, source: null, priority: '3', deadline: null },
      ...{ snoozed_until: null, waiting_since: null, first_response_at: null, closed_at: null },
      ...{ version: '1', created: expect.any(String), modified: expect.any(String) },
    })
  })

  it('opens the caller’s own case as open, and a colleague’s as unaccepted', async () => {
    const { anna, ben, asAnna } = colleagues()
    const own = await openIssue(asAnna, { user_id: Number(anna.userId) })
    const given = await openIssue(asAnna, { user_id: String(ben.userId) })
    expect(await read(asAnna, own)).toMatchObject({ status: 'open', user_id: String(anna.userId) })
    expect(await read(asAnna, given)).toMatchObject({ status: 'unaccepted', user_id: String(ben.userId) })
  })

  it('accepts plain fields, with times in the zone of the office', async () => {
    const office = await cases.officeIn('America/New_York')
    const http = cases.asExpert(office.expert)
    const client = cases.client(office)
    const fields = { source: 'phone', priority: 2, deadline: '2026-12-24 18:00:00', user_client_id: String(client.userId) }
    const id = await openIssue(http, fields)
    expect(await read(http, id)).toMatchObject({ ...fields, priority: '2' })
    const [row] = await cases.database.rows('SELECT deadline FROM issues WHERE id = $1', [id])
    expect(row).toEqual({ deadline: new Date('2026-12-24T23:00:00Z') })
  })

  it('numbers the cases of each office from 1 without gaps, also for concurrent requests', async () => {
    const { asAnna } = colleagues()
    const opened = await Promise.all(Array.from({ length: 12 }, () => openIssue(asAnna)))
    const numbers = await Promise.all(opened.map(async (id) => Number((await read(asAnna, id)).number)))
    expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, i) => i + 1))
  })

  it('refuses references to records that the office does not have, all in one answer', async () => {
    const { asAnna } = colleagues()
    const stranger = cases.office()
    const foreign = { user_id: String(stranger.expert.userId), user_client_id: String(cases.client(stranger).userId) }
    const missing = { issue_subject_id: '1', group_id: '1', issue_initiator_id: '1', provider_id: '1' }
    const { status, body } = await asAnna.post('/issue', { Issue: { subject: 'x', ...foreign, ...missing } })
    expect(status).toBe(400)
    const fields = Object.keys({ ...foreign, ...missing }).map((field) => [field, 'does not exist'])
    expect(body).toEqual({ status: 'error', errorMessages: Object.fromEntries(fields) })
    const nothing = Object.fromEntries(Object.keys(missing).map((field) => [field, null]))
    expect((await asAnna.post('/issue', { Issue: { subject: 'x', ...nothing } })).status).toBe(201)
  })

  it('creates one case for a repeated Idempotency-Key', async () => {
    const { office, asAnna } = colleagues()
    const key = { 'idempotency-key': randomUUID() }
    const answers = await Promise.all([1, 2, 3].map(() => asAnna.post('/issue', { Issue: { subject: 'Once' } }, key)))
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(new Set(answers.map(({ text, headers }) => text + headers.get('location'))).size).toBe(1)
    const rows = await cases.database.rows('SELECT id FROM issues WHERE customer_id = $1', [office.customerId])
    expect(rows).toHaveLength(1)
    expect((await asAnna.post('/issue', { Issue: { subject: 'Twice' } }, key)).body).toMatchObject({ errorCode: 'IDEMPOTENCY_KEY_REUSED' })
    const counter = await asAnna.get('/counter?type=unassigned')
    expect(counter.body).toEqual({ Counter: { Issue: { unassigned: 1 } } })
  })
})

describe('PUT /rest/issue/{id}', () => {
  it('assigns, accepts, closes and reopens', async () => {
    const { ben, asAnna, asBen } = colleagues()
    const id = await openIssue(asAnna)
    await put(asAnna, id, { user_id: String(ben.userId) })
    expect(await read(asAnna, id)).toMatchObject({ status: 'unaccepted', user_id: String(ben.userId), closed_at: null })
    await put(asBen, id, { status: 'open' })
    await put(asBen, id, { status: 'closed' })
    expect(await read(asAnna, id)).toMatchObject({ status: 'closed', closed_at: expect.any(String) })
    await put(asAnna, id, { status: 'open' })
    expect(await read(asAnna, id)).toMatchObject({ status: 'open', user_id: String(ben.userId), closed_at: null })
  })

  it('delegates and takes back: the owner stays, and only they or the delegator may end it', async () => {
    const { anna, ben, clara, asAnna, asBen, asClara } = colleagues()
    const id = await openIssue(asBen, { user_id: String(ben.userId) })
    expect((await put(asAnna, id, { delegated_user_id: String(clara.userId), delegated_by: '1' })).status).toBe(200)
    const delegated = { user_id: String(ben.userId), delegated_user_id: String(clara.userId), delegated_by: String(anna.userId) }
    expect(await read(asAnna, id)).toMatchObject({ ...delegated, status: 'open' })
    const refused = await put(asClara, id, { delegated_user_id: null })
    expect([refused.status, refused.body]).toEqual([403, expect.objectContaining({ errorCode: 'FORBIDDEN' })])
    expect((await put(asBen, id, { delegated_user_id: null })).status).toBe(200)
    expect(await read(asAnna, id)).toMatchObject({ user_id: String(ben.userId), delegated_user_id: null, delegated_by: null })
  })

  it('writes plain fields, and keeps the state if it is sent back unchanged', async () => {
    const { ben, asBen } = colleagues()
    const id = await openIssue(asBen, { user_id: String(ben.userId) })
    const before = await read(asBen, id)
    const snoozed = { subject: 'Renamed', snoozed_until: '2026-12-01 08:00:00', priority: '4', source: 'chat' }
    expect((await put(asBen, id, { ...before, ...snoozed, first_response_at: '2020-01-01 00:00:00' })).status).toBe(200)
    expect(await read(asBen, id)).toEqual({ ...before, ...snoozed, version: '2', modified: expect.any(String) })
    expect((await put(asBen, id, {})).status).toBe(200)
  })

  it('answers 412 to an old version, and changes nothing', async () => {
    const { asAnna } = colleagues()
    const id = await openIssue(asAnna)
    await put(asAnna, id, { subject: 'Second' })
    const late = await asAnna.put(`/issue/${id}`, { Issue: { subject: 'Late' } }, { 'if-match': '"1"' })
    expect([late.status, late.body]).toEqual([412, expect.objectContaining({ errorCode: 'STALE' })])
    expect(await read(asAnna, id)).toMatchObject({ subject: 'Second' })
  })

  it('checks the references that are sent', async () => {
    const { asAnna } = colleagues()
    const id = await openIssue(asAnna)
    const nobody = String(randomId())
    const { body } = await put(asAnna, id, { user_id: nobody, delegated_user_id: nobody, provider_id: '3' })
    const text = 'does not exist'
    expect(body).toEqual({ status: 'error', errorMessages: { user_id: text, delegated_user_id: text, provider_id: text } })
  })
})

describe('GET /rest/issue', () => {
  it('lists and filters the cases of the office', async () => {
    const { anna, ben, asAnna, asBen } = colleagues()
    const [first, second, third] = [
      await openIssue(asAnna),
      await openIssue(asAnna, { user_id: String(anna.userId) }),
      await openIssue(asBen),
    ]
    await openIssue(colleagues().asAnna)
    const ids = async (query: string) => (await asAnna.get<{ Issue: Issue }[]>(`/issue${query}`)).body.map(({ Issue }) => Number(Issue.id))
    expect(await ids('')).toEqual([first, second, third])
    expect(await ids('?status=new&sort=-id')).toEqual([third, first])
    expect(await ids(`?user_id=${anna.userId}`)).toEqual([second])
    expect(await ids('?user_id=')).toEqual([first, third])
    expect(await ids(`?user_id=${ben.userId}`)).toEqual([])
    expect(await ids('?number=3')).toEqual([third])
    expect((await asAnna.get('/issue?status=lost')).body).toMatchObject({ errorMessages: { status: expect.any(String) } })
  })
})

describe('DELETE /rest/issue/{id}', () => {
  it('is for administrators and experts, whoever owns the case', async () => {
    const { office, anna, asAnna, asBen, asClara } = colleagues()
    const id = await openIssue(asAnna, { user_id: String(anna.userId) })
    expect((await asBen.delete(`/issue/${id}`)).status).toBe(403)
    expect((await asClara.delete(`/issue/${randomId()}`)).status).toBe(403)
    expect((await asAnna.delete(`/issue/${id}`, { 'if-match': '"2"' })).status).toBe(412)
    expect((await cases.asExpert(office.administrator).delete(`/issue/${id}`)).body).toEqual({ status: 'OK' })
    expect((await asAnna.get(`/issue/${id}`)).status).toBe(404)
    expect((await asAnna.get('/counter?type=my')).body).toEqual({ Counter: { Issue: { my: 0 } } })
  })
})

describe('another office', () => {
  it.each(['GET', 'PUT', 'DELETE'])('%s is the same 404 as for an id that does not exist', async (method) => {
    const id = await openIssue(colleagues().asAnna)
    const { asAnna: stranger } = colleagues()
    const sent = method === 'PUT' ? { Issue: { status: 'open' } } : undefined
    const foreign = await stranger.request(method, `/issue/${id}`, sent)
    const unknown = await stranger.request(method, `/issue/${randomId()}`, sent)
    expect(foreign.status).toBe(404)
    expect(unknown.text).toBe(foreign.text)
    const rows = await cases.database.rows('SELECT status, version FROM issues WHERE id = $1', [id])
    expect(rows).toEqual([{ status: 'new', version: 1 }])
  })
})

it('a case that is sent back as it was read does not change, even with times in the hour that a change of the clocks repeats', async () => {
  const { expert } = await cases.officeIn('Europe/Warsaw')
  const http = cases.asExpert(expert)
  const [deadline, snoozed_until] = ['2026-10-25T02:30:00+01:00', '2026-12-01T08:00:00.500+01:00']
  const id = await openIssue(http, { deadline, snoozed_until })
  const stored = () => cases.database.rows('SELECT deadline, snoozed_until FROM issues WHERE id = $1', [id])
  const before = await stored()
  const { Issue } = (await http.get<{ Issue: Record<string, string> }>(`/issue/${id}`)).body
  expect(Issue.deadline).toBe('2026-10-25 02:30:00')
  expect((await http.put(`/issue/${id}`, { Issue })).status).toBe(200)
  expect(await stored()).toEqual(before)
  await http.put(`/issue/${id}`, { Issue: { deadline: '2026-10-25T02:30:00+02:00' } })
  expect(await stored()).toMatchObject([{ deadline: new Date('2026-10-25T00:30:00Z') }])
})

describe('access by role', () => {
  it.each([
    ['GET', '/issue'],
    ['POST', '/issue'],
    ['GET', '/issue/1'],
    ['PUT', '/issue/1'],
    ['DELETE', '/issue/1'],
  ])('%s %s: refused without a token, and for technical accounts', async (method, path) => {
    const sent = method === 'POST' || method === 'PUT' ? { Issue: { subject: 'x' } } : undefined
    const technical = cases.asExpert(testTechnical(cases.issuer))
    expect((await technical.request(method, path, sent)).status).toBe(403)
    expect((await technical.as(undefined).request(method, path, sent)).status).toBe(401)
  })
})
