import { randomId, testTechnical } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Cases, expertUrl, openIssue, startCases } from '../support/cases.js'
import { get, issueOf, repliesOf, type Sentence, write } from '../support/sentences.js'

let cases: Cases
beforeAll(async () => {
  cases = await startCases()
})
afterAll(() => cases.stop())

const { withReply } = repliesOf(() => cases)
const done = { status: 'OK' }

describe('POST /rest/issue_sentence', () => {
  it('sends the reply of an expert', async () => {
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

  it.each(['specialist', 'trainee'] as const)('submits the reply of a %s to review', async (role) => {
    const office = cases.office()
    const http = cases.asExpert(office[role])
    const issue = await openIssue(http)
    const { id } = (await write(http, issue)).body
    expect(await get(http, id)).toMatchObject({ status: 'to_review', speaker: 'expert' })
    expect(await issueOf(http, issue)).toMatchObject({ first_response_at: null })
  })

  it('depends on the right, not on the role', async () => {
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

  it('refuses a case of another office like one that does not exist', async () => {
    const [http, stranger] = [cases.asExpert(cases.office().expert), cases.asExpert(cases.office().expert)]
    const theirs = await openIssue(stranger)
    for (const status of ['sent', 'draft', 'to_review']) {
      const foreign = await write(http, theirs, { status })
      expect([foreign.status, foreign.body]).toEqual([400, { status: 'error', errorMessages: { issue_id: 'does not exist' } }])
      expect((await write(http, Number(randomId()), { status })).text).toBe(foreign.text)
    }
    expect((await stranger.get('/issue_sentence')).body).toEqual([])
  })

  it('names all invalid fields', async () => {
    const http = cases.asExpert(cases.office().expert)
    const wrong = { issue_id: 'x', body: ' ', status: 'gone' }
    const { status, body } = await http.post<{ errorMessages: object }>('/issue_sentence', { IssueSentence: wrong })
    expect([status, Object.keys(body.errorMessages).sort()]).toEqual([400, ['body', 'issue_id', 'status']])
    const rejected = await write(http, await openIssue(http), { status: 'rejected' })
    expect([rejected.status, rejected.body]).toMatchObject([400, { errorMessages: { status: expect.any(String) } }])
  })

  it('ignores fields that the service sets', async () => {
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
  it('lists the sentences of a case in the requested order', async () => {
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

describe('DELETE /rest/issue_sentence/{id}', () => {
  it('deletes drafts for their author, and everything for experts', async () => {
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

  it('a case is deleted with its sentences', async () => {
    const { expert, issue, id } = await withReply()
    await expert.delete(`/issue/${issue}`)
    expect((await expert.get(`/issue_sentence/${id}`)).status).toBe(404)
  })
})

it('a sentence of another office gets the same 404 as one that does not exist', async () => {
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
] as const)('%s %s: refused without a token, for technical accounts and for clients', async (method, path) => {
  const office = cases.office()
  const sent = method === 'POST' || method === 'PUT' ? { IssueSentence: { issue_id: '1', body: 'x' } } : undefined
  expect((await cases.asExpert(office.expert).as(undefined).request(method, path, sent)).status).toBe(401)
  expect((await cases.asExpert(testTechnical(cases.issuer)).request(method, path, sent)).status).toBe(403)
  expect((await cases.asExpert(cases.client(office)).request(method, path, sent)).status).toBe(401)
})
