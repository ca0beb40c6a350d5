import { type LinkEvent, LinkState } from '@caseway/protos/auth/v1/events'
import { linkTopic } from '@caseway/protos/topics'
import { type HttpClient, randomId } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Cases, clientUrl, openIssue, startCases } from '../support/cases.js'

let cases: Cases
beforeAll(async () => {
  cases = await startCases()
})
afterAll(() => cases.stop())

interface Sentence {
  id: string
  body: string
}
type Issue = Record<string, string | null>

const say = (http: HttpClient, issue: number, more: object = {}) =>
  http.post<{ id: number }>('/issue_sentence', { IssueSentence: { issue_id: String(issue), body: 'A question', ...more } })
const bodiesOf = async (http: HttpClient, query = '') =>
  (await http.get<{ IssueSentence: Sentence }[]>(`/issue_sentence${query}`)).body.map(({ IssueSentence }) => IssueSentence.body)
const issueOf = async (http: HttpClient, id: number) => (await http.get<{ Issue: Issue }>(`/issue/${id}`)).body.Issue
const sentenceOf = async (http: HttpClient, id: number) =>
  (await http.get<{ IssueSentence: Record<string, string | null> }>(`/issue_sentence/${id}`)).body.IssueSentence

/** A client with a case that belongs to the specialist. */
async function withCase() {
  const office = cases.office()
  const client = cases.client(office)
  const link = cases.auth.links.at(-1) as LinkEvent
  await cases.publish(linkTopic, link)
  const [expert, trainee, http] = [cases.asExpert(office.expert), cases.asExpert(office.trainee), cases.asClient(client)]
  const of = { user_client_id: String(client.userId), user_id: String(office.specialist.userId) }
  return { office, client, link, expert, trainee, http, issue: await openIssue(expert, of) }
}

describe('POST /rest/issue_sentence', () => {
  it('writes in the client’s case, which waits from then on, and notifies its owner and delegate', async () => {
    const { office, client, http, expert, issue } = await withCase()
    await expert.put(`/issue/${issue}`, { Issue: { delegated_user_id: String(office.trainee.userId) } })
    const created = await say(http, issue)
    expect(created.status).toBe(201)
    expect(created.headers.get('location')).toBe(`${clientUrl}/rest/issue_sentence/${created.body.id}`)
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
    const IssueSentence = {
      ...{ id: String(created.body.id), customer_id: String(office.customerId), issue_id: String(issue) },
      ...{ speaker: 'initiator', speaker_id: String(client.userId), body: 'A question', created: time, modified: time },
    }
    expect((await http.get(`/issue_sentence/${created.body.id}`)).body).toEqual({ IssueSentence, CommonFileObject: [] })
    const seen = await sentenceOf(expert, created.body.id)
    expect(seen).toMatchObject({ ...IssueSentence, status: 'sent' })
    expect(await issueOf(expert, issue)).toMatchObject({ waiting_since: seen.created, first_response_at: null })
    for (const person of [office.specialist, office.trainee]) {
      const { body } = await cases.asExpert(person).get<object[]>('/notification')
      const Notification = { type: 'sentence_add', issue_id: String(issue), from_user_id: null, user_id: String(person.userId) }
      expect(body[0]).toMatchObject({ Notification })
    }
  })

  it('sets only the body', async () => {
    const { client, expert, http, issue } = await withCase()
    const readOnly = { speaker: 'expert', speaker_id: '1', status: 'draft', customer_id: '1', reviewed_by: '1', waiting_time: 5 }
    const { id } = (await say(http, issue, readOnly)).body
    const unset = { speaker: 'initiator', speaker_id: String(client.userId), status: 'sent', reviewed_by: null, waiting_time: null }
    expect(await sentenceOf(expert, id)).toMatchObject(unset)
  })

  it('refuses another client’s case like one that does not exist', async () => {
    const [{ http }, other] = [await withCase(), await withCase()]
    const foreign = await say(http, other.issue)
    expect([foreign.status, foreign.body]).toEqual([400, { status: 'error', errorMessages: { issue_id: 'does not exist' } }])
    expect((await say(http, Number(randomId()))).text).toBe(foreign.text)
    expect(await bodiesOf(other.http)).toEqual([])
  })

  it('names every wrong field, the case among them', async () => {
    const { http, issue } = await withCase()
    const errorMessages = { body: 'is required', issue_id: 'does not exist' }
    expect((await say(http, Number(randomId()), { body: ' ' })).body).toEqual({ status: 'error', errorMessages })
    expect((await say(http, issue, { body: ' ' })).body).toEqual({ status: 'error', errorMessages: { body: 'is required' } })
  })

  it('refuses a case that is closed', async () => {
    const { http, office, issue } = await withCase()
    const specialist = cases.asExpert(office.specialist)
    await specialist.put(`/issue/${issue}`, { Issue: { status: 'open' } })
    await specialist.put(`/issue/${issue}`, { Issue: { status: 'closed' } })
    const { status, body } = await say(http, issue)
    expect([status, body]).toMatchObject([409, { errorCode: 'ISSUE_STATE' }])
    expect(await bodiesOf(http)).toEqual([])
  })

  it('is refused after the link has ended, when they can still read, and after a ban they see nothing', async () => {
    const { http, link, issue } = await withCase()
    const { id } = (await say(http, issue)).body
    const ended = { ...link, state: LinkState.ENDED, revision: 2n }
    cases.auth.links.splice(cases.auth.links.indexOf(link), 1, ended)
    await cases.publish(linkTopic, ended)
    const { status, body } = await say(http, issue)
    expect([status, body]).toMatchObject([403, { errorCode: 'LINK_ENDED' }])
    expect(await bodiesOf(http)).toEqual(['A question'])
    const banned = { ...ended, banned: true, revision: 3n }
    cases.auth.links.splice(cases.auth.links.indexOf(ended), 1, banned)
    await cases.publish(linkTopic, banned)
    const unknown = await http.get(`/issue_sentence/${randomId()}`)
    const hidden = await http.get(`/issue_sentence/${id}`)
    expect([hidden.status, hidden.text]).toEqual([404, unknown.text])
    expect(await bodiesOf(http)).toEqual([])
    expect((await say(http, issue)).body).toEqual({ status: 'error', errorMessages: { issue_id: 'does not exist' } })
  })
})

describe('a client sees', () => {
  it('no reply before it is approved, and nothing of its review afterwards', async () => {
    const { http, expert, trainee, issue } = await withCase()
    const version = (await issueOf(expert, issue)).version
    const sentence = { issue_id: String(issue), body: 'Not this' }
    await trainee.post('/issue_sentence', { IssueSentence: { ...sentence, status: 'draft' } })
    const rejected = (await trainee.post<{ id: number }>('/issue_sentence', { IssueSentence: sentence })).body.id
    await expert.put(`/issue_sentence/${rejected}`, { IssueSentence: { status: 'rejected', reject_reason: 'No' } })
    const { id } = (await trainee.post<{ id: number }>('/issue_sentence', { IssueSentence: sentence })).body
    expect(await bodiesOf(http)).toEqual([])
    expect((await http.get(`/issue_sentence/${id}`)).status).toBe(404)
    // The version of the case does not change either, which would reveal the reply.
    expect((await issueOf(expert, issue)).version).toBe(version)
    await expert.put(`/issue_sentence/${id}`, { IssueSentence: { status: 'sent', body: 'But this' } })
    expect(await bodiesOf(http, `?issue_id=${issue}`)).toEqual(['But this'])
    const shown = ['id', 'customer_id', 'issue_id', 'speaker', 'speaker_id', 'body', 'created', 'modified']
    expect(Object.keys(await sentenceOf(http, id))).toEqual(shown)
  })

  it('their own sentences, of all cases or of one', async () => {
    const [{ http, issue, expert, client }, other] = [await withCase(), await withCase()]
    const second = await openIssue(expert, { user_client_id: String(client.userId) })
    await say(http, issue, { body: 'First' })
    await say(http, second, { body: 'Second' })
    await say(other.http, other.issue)
    expect(await bodiesOf(http)).toEqual(['First', 'Second'])
    expect(await bodiesOf(http, '?sort=-modified')).toEqual(['Second', 'First'])
    expect(await bodiesOf(http, `?issue_id=${second}`)).toEqual(['Second'])
    expect(await bodiesOf(http, `?issue_id=${other.issue}`)).toEqual([])
  })

  it('no sentence of a case that gets another client, who sees them, but no draft', async () => {
    const { office, http, expert, trainee, issue } = await withCase()
    const other = cases.client(office)
    await say(http, issue)
    const draft = { issue_id: String(issue), body: 'A draft', status: 'draft' }
    const { id } = (await trainee.post<{ id: number }>('/issue_sentence', { IssueSentence: draft })).body
    await expert.put(`/issue/${issue}`, { Issue: { user_client_id: String(other.userId) } })
    expect(await bodiesOf(http)).toEqual([])
    expect(await bodiesOf(cases.asClient(other))).toEqual(['A question'])
    await trainee.put(`/issue_sentence/${id}`, { IssueSentence: { status: 'to_review' } })
    await expert.put(`/issue_sentence/${id}`, { IssueSentence: { status: 'sent' } })
    expect(await bodiesOf(http)).toEqual([])
    expect(await bodiesOf(cases.asClient(other))).toEqual(['A question', 'A draft'])
  })

  it('sentences that they can neither change nor delete', async () => {
    const { http, issue } = await withCase()
    const { id } = (await say(http, issue)).body
    expect((await http.put(`/issue_sentence/${id}`, { IssueSentence: { body: 'No' } })).status).toBe(405)
    expect((await http.delete(`/issue_sentence/${id}`)).status).toBe(405)
    expect((await http.as(undefined).get('/issue_sentence')).status).toBe(401)
  })
})

describe('the wait of a case', () => {
  it('begins with the first question, ends with the reply, which records its length, and begins again', async () => {
    const { http, expert, issue } = await withCase()
    await say(http, issue)
    const since = (await issueOf(expert, issue)).waiting_since
    await cases.database.rows("UPDATE issues SET waiting_since = waiting_since - interval '90 seconds' WHERE id = $1", [issue])
    const earlier = (await issueOf(expert, issue)).waiting_since
    expect(earlier).not.toBe(since)
    await say(http, issue)
    expect(await issueOf(expert, issue)).toMatchObject({ waiting_since: earlier })
    const { id } = (await say(expert, issue, { body: 'An answer' })).body
    const reply = await sentenceOf(expert, id)
    expect(reply.waiting_since).toBe(earlier)
    expect(Number(reply.waiting_time)).toBeGreaterThanOrEqual(90)
    expect(Number(reply.waiting_time)).toBeLessThan(150)
    const answered = await issueOf(expert, issue)
    expect(answered).toMatchObject({ waiting_since: null, first_response_at: expect.any(String) })
    const second = (await say(expert, issue)).body.id
    expect(await sentenceOf(expert, second)).toMatchObject({ waiting_since: null, waiting_time: null })
    await say(http, issue)
    expect(await issueOf(expert, issue)).toMatchObject({ waiting_since: expect.any(String), first_response_at: answered.first_response_at })
  })

  it('continues while a reply waits for its review', async () => {
    const { http, expert, trainee, issue } = await withCase()
    await say(http, issue)
    const { id } = (await say(trainee, issue)).body
    expect(await issueOf(expert, issue)).toMatchObject({ waiting_since: expect.any(String), first_response_at: null })
    await expert.put(`/issue_sentence/${id}`, { IssueSentence: { status: 'sent' } })
    expect(await issueOf(expert, issue)).toMatchObject({ waiting_since: null, first_response_at: expect.any(String) })
    expect(await sentenceOf(expert, id)).toMatchObject({ waiting_since: expect.any(String), waiting_time: expect.stringMatching(/^\d+$/) })
  })
  it('begins with the next question when the first is deleted, and ends with the last', async () => {
    const { http, expert, issue } = await withCase()
    const [first, second] = [(await say(http, issue)).body.id, (await say(http, issue)).body.id]
    const waits = () => cases.database.rows('SELECT waiting_since FROM issues WHERE id = $1', [issue])
    const createdAt = await cases.database.rows('SELECT created AS waiting_since FROM issue_sentences WHERE issue_id = $1 ORDER BY id', [
      issue,
    ])
    expect(await waits()).toEqual([createdAt[0]])
    await expert.delete(`/issue_sentence/${first}`)
    expect(await waits()).toEqual([createdAt[1]])
    await expert.delete(`/issue_sentence/${second}`)
    expect(await waits()).toEqual([{ waiting_since: null }])
  })

  it('is not restored when the reply that ended it is deleted', async () => {
    const { http, expert, issue } = await withCase()
    await say(http, issue)
    const { id } = (await say(expert, issue)).body
    await expert.delete(`/issue_sentence/${id}`)
    expect(await issueOf(expert, issue)).toMatchObject({ waiting_since: null, first_response_at: expect.any(String) })
  })

  it('ends when the case is closed, and begins with the next question after it is reopened', async () => {
    const { http, expert, issue } = await withCase()
    await say(http, issue)
    for (const status of ['open', 'closed']) await expert.put(`/issue/${issue}`, { Issue: { status } })
    expect(await issueOf(expert, issue)).toMatchObject({ status: 'closed', waiting_since: null })
    await expert.put(`/issue/${issue}`, { Issue: { status: 'open' } })
    expect(await issueOf(expert, issue)).toMatchObject({ waiting_since: null })
    await say(http, issue)
    expect(await issueOf(expert, issue)).toMatchObject({ waiting_since: expect.any(String) })
  })

  it('ends with a case that is rejected', async () => {
    const { office, http, expert, issue } = await withCase()
    await say(http, issue)
    await cases.asExpert(office.specialist).put(`/issue/${issue}`, { Issue: { status: 'rejected' } })
    expect(await issueOf(expert, issue)).toMatchObject({ status: 'rejected', waiting_since: null })
  })
})
