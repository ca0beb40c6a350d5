import { type HttpClient, type Person, randomId, testTechnical } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Cases, expertUrl, openIssue, startCases } from './support/cases.js'

let cases: Cases
beforeAll(async () => {
  cases = await startCases()
})
afterAll(() => cases.stop())

interface Sentence {
  id: string
  status: string
  body: string
  [field: string]: string | null
}
const done = { status: 'OK' }
const ofState = { status: 'error', errorMessages: expect.any(String), errorCode: 'ISSUE_SENTENCE_STATE' }

const write = (http: HttpClient, issue: number, more: object = {}) =>
  http.post<{ id: number }>('/issue_sentence', { IssueSentence: { issue_id: String(issue), body: 'Dear client', ...more } })
const put = (http: HttpClient, id: number, sent: object) => http.put(`/issue_sentence/${id}`, { IssueSentence: sent })
const get = async (http: HttpClient, id: number) =>
  (await http.get<{ IssueSentence: Sentence }>(`/issue_sentence/${id}`)).body.IssueSentence
const issueOf = async (http: HttpClient, id: number) =>
  (await http.get<{ Issue: Record<string, string | null> }>(`/issue/${id}`)).body.Issue
const typesOf = async (person: Person<unknown>) => {
  const { body } = await cases.asExpert(person).get<{ Notification: { type: string } }[]>('/notification?sort=id')
  return body.map(({ Notification }) => Notification.type).filter((type) => !type.startsWith('issue_'))
}

/** A case of the specialist, with a reply of the trainee. */
async function withReply(status = 'sent') {
  const office = cases.office()
  const [expert, specialist, trainee] = [office.expert, office.specialist, office.trainee].map((person) => cases.asExpert(person)) as [
    HttpClient,
    HttpClient,
    HttpClient,
  ]
  const issue = await openIssue(expert, { user_id: String(office.specialist.userId) })
  const { id } = (await write(trainee, issue, { status })).body
  return { office, expert, specialist, trainee, issue, id }
}

describe('POST /rest/issue_sentence', () => {
  it('sends what an expert writes', async () => {
    const { customerId, expert } = cases.office()
    const http = cases.asExpert(expert)
    const issue = await openIssue(http)
    const created = await write(http, issue, { body: 'Dear client,\nhere it is.' })
    expect([created.status, created.body]).toEqual([201, { id: expect.any(Number) }])
    expect(created.headers.get('location')).toBe(`${expertUrl}/rest/issue_sentence/${created.body.id}`)
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
    const IssueSentence = {
      ...{ id: String(created.body.id), customer_id: String(customerId), issue_id: String(issue) },
      ...{ speaker: 'expert', speaker_id: String(expert.userId), template_id: null, object_name: null, object_id: null },
      ...{ body: 'Dear client,\nhere it is.', original_body: null, status: 'sent', rejected: '0', corrected: '0' },
      ...{ reject_reason: null, reviewed_by: null, waiting_since: null, waiting_time: null, created: time, modified: time },
    }
    expect((await http.get(`/issue_sentence/${created.body.id}`)).body).toEqual({ IssueSentence, CommonFileObject: [] })
    expect((await http.get('/issue_sentence')).body).toEqual([{ IssueSentence, CommonFileObject: [] }])
  })

  it.each(['specialist', 'trainee'] as const)('keeps what a %s sends for a review', async (role) => {
    const office = cases.office()
    const http = cases.asExpert(office[role])
    const issue = await openIssue(http)
    const { id } = (await write(http, issue)).body
    expect(await get(http, id)).toMatchObject({ status: 'to_review', speaker: 'expert' })
    expect(await issueOf(http, issue)).toMatchObject({ first_response_at: null })
  })

  it('asks for the right, and not for the role', async () => {
    const { specialist, expert } = cases.office()
    cases.auth.rights.set(specialist.userId, ['replies.approve'])
    cases.auth.rights.delete(expert.userId)
    for (const [person, status] of [
      [specialist, 'sent'],
      [expert, 'to_review'],
    ] as const) {
      const http = cases.asExpert(person)
      expect(await get(http, (await write(http, await openIssue(http))).body.id)).toMatchObject({ status })
    }
  })

  it('refuses a case of another office as it refuses one that does not exist', async () => {
    const [http, stranger] = [cases.asExpert(cases.office().expert), cases.asExpert(cases.office().expert)]
    const theirs = await openIssue(stranger)
    for (const status of ['sent', 'draft', 'to_review']) {
      const foreign = await write(http, theirs, { status })
      expect([foreign.status, foreign.body]).toEqual([400, { status: 'error', errorMessages: { issue_id: 'does not exist' } }])
      expect((await write(http, Number(randomId()), { status })).text).toBe(foreign.text)
    }
    expect((await stranger.get('/issue_sentence')).body).toEqual([])
  })

  it('names every wrong field', async () => {
    const http = cases.asExpert(cases.office().expert)
    const wrong = { issue_id: 'x', body: ' ', status: 'gone' }
    const { status, body } = await http.post<{ errorMessages: object }>('/issue_sentence', { IssueSentence: wrong })
    expect([status, Object.keys(body.errorMessages).sort()]).toEqual([400, ['body', 'issue_id', 'status']])
    const rejected = await write(http, await openIssue(http), { status: 'rejected' })
    expect([rejected.status, rejected.body]).toMatchObject([400, { errorMessages: { status: expect.any(String) } }])
  })

  it('sets nothing that the service sets', async () => {
    const http = cases.asExpert(cases.office().trainee)
    const issue = await openIssue(http)
    const readOnly = {
      speaker: 'system',
      speaker_id: '1',
      reviewed_by: '1',
      rejected: 1,
      corrected: 1,
      waiting_time: 5,
      reject_reason: 'x',
    }
    const { id } = (await write(http, issue, { ...readOnly, original_body: 'x', object_id: '1', template_id: '1', status: 'draft' })).body
    const unset = { reviewed_by: null, rejected: '0', corrected: '0', waiting_time: null, reject_reason: null, original_body: null }
    expect(await get(http, id)).toMatchObject({ ...unset, speaker: 'expert', object_id: null, template_id: null })
  })
})

describe('GET /rest/issue_sentence', () => {
  it('lists the sentences of a case, in the order that is asked for', async () => {
    const http = cases.asExpert(cases.office().expert)
    const [issue, other] = [await openIssue(http), await openIssue(http)]
    const first = (await write(http, issue, { status: 'draft' })).body.id
    await write(http, other)
    const second = (await write(http, issue)).body.id
    const ids = async (query: string) =>
      (await http.get<{ IssueSentence: Sentence }[]>(`/issue_sentence${query}`)).body.map(({ IssueSentence }) => Number(IssueSentence.id))
    expect(await ids(`?issue_id=${issue}`)).toEqual([first, second])
    expect(await ids(`?issue_id=${issue}&sort=-id`)).toEqual([second, first])
    expect(await ids('?status=draft')).toEqual([first])
    expect(await ids(`?issue_id=${randomId()}`)).toEqual([])
  })
})

describe('a reviewed reply', () => {
  it('is approved, and sent', async () => {
    const { office, expert, issue, id } = await withReply()
    expect((await put(expert, id, { status: 'sent' })).body).toEqual(done)
    const approved = { status: 'sent', reviewed_by: String(office.expert.userId), corrected: '0', body: 'Dear client' }
    expect(await get(expert, id)).toMatchObject(approved)
    expect(await issueOf(expert, issue)).toMatchObject({ first_response_at: expect.any(String) })
    expect(await typesOf(office.trainee)).toEqual(['reply_approved'])
    expect(await typesOf(office.specialist)).toEqual(['reply_to_review', 'sentence_add'])
  })

  it('is corrected, and what its author wrote is kept', async () => {
    const { office, expert, id } = await withReply()
    expect((await put(expert, id, { status: 'sent', body: 'Dear Mrs. Nowak' })).body).toEqual(done)
    const corrected = { status: 'sent', body: 'Dear Mrs. Nowak', original_body: 'Dear client', corrected: '1' }
    expect(await get(expert, id)).toMatchObject({ ...corrected, speaker_id: String(office.trainee.userId) })
    expect(await typesOf(office.trainee)).toEqual(['reply_approved'])
  })

  it('is rejected with a reason, and comes again', async () => {
    const { office, expert, trainee, id } = await withReply()
    expect((await put(expert, id, { status: 'rejected' })).body).toEqual({
      status: 'error',
      errorMessages: { reject_reason: 'is required' },
    })
    expect((await put(expert, id, { status: 'rejected', reject_reason: 'Too short' })).body).toEqual(done)
    expect(await get(trainee, id)).toMatchObject({ status: 'rejected', rejected: '1', reject_reason: 'Too short' })
    expect(await typesOf(office.trainee)).toEqual(['reply_rejected'])
    expect((await put(trainee, id, { body: 'Dear Mrs. Nowak', status: 'sent' })).body).toEqual(done)
    expect(await get(trainee, id)).toMatchObject({ status: 'to_review', body: 'Dear Mrs. Nowak' })
    await put(expert, id, { status: 'sent' })
    expect(await get(trainee, id)).toMatchObject({ status: 'sent', rejected: '0', corrected: '0' })
    expect(await typesOf(office.specialist)).toEqual(['reply_to_review', 'reply_to_review', 'sentence_add'])
  })

  it('is final when it is sent', async () => {
    const { expert, trainee, id } = await withReply()
    await put(expert, id, { status: 'sent' })
    for (const [http, move] of [
      [expert, { status: 'sent' }],
      [trainee, { body: 'No' }],
      [expert, { status: 'rejected', reject_reason: 'No' }],
    ] as const) {
      const { status, body } = await put(http, id, move)
      expect([status, body]).toEqual([409, ofState])
    }
  })

  it('is approved by nobody without the right, and edited by nobody else', async () => {
    const { expert, specialist, trainee, id } = await withReply()
    for (const http of [specialist, trainee]) {
      expect((await put(http, id, { status: 'rejected', reject_reason: 'No' })).status).toBe(403)
    }
    expect((await put(specialist, id, { status: 'sent' })).status).toBe(403)
    expect((await put(trainee, id, { status: 'sent' })).status).toBe(409)
    expect((await put(expert, id, { body: 'Mine' })).status).toBe(403)
    expect(await get(expert, id)).toMatchObject({ status: 'to_review', body: 'Dear client' })
  })

  it('a stale version is refused', async () => {
    const { expert, id } = await withReply()
    const sent = { IssueSentence: { status: 'sent' } }
    expect((await expert.put(`/issue_sentence/${id}`, sent, { 'if-match': '"9"' })).status).toBe(412)
    expect((await expert.put(`/issue_sentence/${id}`, sent, { 'if-match': '"1"' })).status).toBe(200)
    expect((await expert.get(`/issue_sentence/${id}`)).headers.get('etag')).toBe('"2"')
  })

  it('has one winner of fifty who approve at once', async () => {
    const { office, expert, issue, id } = await withReply()
    const before = Number((await issueOf(expert, issue)).version)
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => put(expert, id, { status: 'sent', ...(i % 2 && { body: `No. ${i}` }) })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(49)
    expect(Number((await issueOf(expert, issue)).version)).toBe(before + 1)
    expect(await typesOf(office.trainee)).toEqual(['reply_approved'])
  })
})

describe('a draft', () => {
  it('is written, changed and sent by its author, and nobody is notified before', async () => {
    const { office, expert, trainee, issue, id } = await withReply('draft')
    const version = (await issueOf(expert, issue)).version
    await put(trainee, id, { body: 'Better' })
    expect(await get(trainee, id)).toMatchObject({ status: 'draft', body: 'Better' })
    expect((await put(expert, id, { status: 'sent' })).status).toBe(403)
    expect((await issueOf(expert, issue)).version).toBe(version)
    expect(await typesOf(office.specialist)).toEqual([])
    await put(trainee, id, { status: 'sent' })
    expect(await get(trainee, id)).toMatchObject({ status: 'to_review' })
    expect(await typesOf(office.specialist)).toEqual(['reply_to_review'])
  })
})

describe('DELETE /rest/issue_sentence/{id}', () => {
  it('removes a draft for its author, and everything for experts', async () => {
    const { expert, specialist, trainee, id, issue } = await withReply('draft')
    expect((await specialist.delete(`/issue_sentence/${id}`)).status).toBe(403)
    expect((await trainee.delete(`/issue_sentence/${id}`)).body).toEqual(done)
    const waiting = (await write(trainee, issue)).body.id
    expect((await trainee.delete(`/issue_sentence/${waiting}`)).status).toBe(403)
    expect((await expert.delete(`/issue_sentence/${waiting}`)).body).toEqual(done)
    const sent = (await write(expert, issue)).body.id
    expect((await expert.delete(`/issue_sentence/${sent}`)).body).toEqual(done)
    expect((await expert.get('/issue_sentence')).body).toEqual([])
  })

  it('a case takes its sentences with it', async () => {
    const { expert, issue, id } = await withReply()
    await expert.delete(`/issue/${issue}`)
    expect((await expert.get(`/issue_sentence/${id}`)).status).toBe(404)
  })
})

it('somebody else’s sentence is the same 404 as one that does not exist', async () => {
  const { id } = await withReply()
  const stranger = cases.asExpert(cases.office().expert)
  for (const [method, sent] of [['GET'], ['PUT', { IssueSentence: { status: 'sent' } }], ['DELETE']] as const) {
    const foreign = await stranger.request(method, `/issue_sentence/${id}`, sent)
    const unknown = await stranger.request(method, `/issue_sentence/${randomId()}`, sent)
    expect([foreign.status, foreign.text]).toEqual([404, unknown.text])
  }
})

it.each([
  ['GET', '/issue_sentence'],
  ['POST', '/issue_sentence'],
  ['GET', '/issue_sentence/1'],
  ['PUT', '/issue_sentence/1'],
  ['DELETE', '/issue_sentence/1'],
] as const)('%s %s: nobody without a token, no technical account, no client', async (method, path) => {
  const office = cases.office()
  const sent = method === 'POST' || method === 'PUT' ? { IssueSentence: { issue_id: '1', body: 'x' } } : undefined
  expect((await cases.asExpert(office.expert).as(undefined).request(method, path, sent)).status).toBe(401)
  expect((await cases.asExpert(testTechnical(cases.issuer)).request(method, path, sent)).status).toBe(403)
  expect((await cases.asExpert(cases.client(office)).request(method, path, sent)).status).toBe(401)
})
