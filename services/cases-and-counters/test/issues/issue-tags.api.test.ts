import { type HttpClient, randomId } from '@caseway/testing'
import { holdTransaction, untilWaiting } from '@caseway/testing/held-transaction'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { officeFeed } from '../../src/feed/feed.js'
import { type Cases, expertUrl, openIssue, startCases } from '../support/cases.js'
import { next, openStreams } from '../support/streams.js'

let cases: Cases
beforeAll(async () => {
  cases = await startCases()
})
afterAll(() => cases.stop())
const { connect, closeAll } = openStreams(() => cases)
afterEach(closeAll)

const done = { status: 'OK' }
const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)

const newTag = async (http: HttpClient): Promise<number> => (await http.post<{ id: number }>('/tag', { Tag: { name: 'Urgent' } })).body.id
const give = (http: HttpClient, issue: unknown, tag: unknown) =>
  http.post<{ id: number }>('/issue_tag', { IssueTag: { issue_id: issue, tag_id: tag } })
const take = (http: HttpClient, issue: unknown, tag: unknown) => http.delete(`/issue_tag?issue_id=${issue}&tag_id=${tag}`)

async function officeWithCase() {
  const office = cases.office()
  const http = cases.asExpert(office.trainee)
  const tagsOf = async (issue: number) =>
    (await http.get<{ IssueTag: { tag_id: string } }[]>(`/issue_tag?issue_id=${issue}`)).body.map(({ IssueTag }) => Number(IssueTag.tag_id))
  return { office, http, issue: await openIssue(http), tag: await newTag(http), tagsOf }
}

describe('POST /rest/issue_tag', () => {
  it('adds a tag to a case', async () => {
    const { office, http, issue, tag } = await officeWithCase()
    const created = await give(http, issue, String(tag))
    const { id } = created.body
    expect({ status: created.status, body: created.body }).toEqual({ status: 201, body: { id: expect.any(Number) } })
    expect(created.headers.get('location')).toBe(`${expertUrl}/rest/issue_tag/${id}`)
    const ids = { id: String(id), customer_id: String(office.customerId), issue_id: String(issue), tag_id: String(tag) }
    const record = { IssueTag: { ...ids, created: time, modified: time } }
    expect((await http.get(`/issue_tag/${id}`)).body).toEqual(record)
    expect((await http.get(`/issue_tag?tag_id=${tag}`)).body).toEqual([record])
  })

  it('is idempotent, also for 20 concurrent requests', async () => {
    const { http, issue, tag, tagsOf } = await officeWithCase()
    const answers = await Promise.all(Array.from({ length: 20 }, () => give(http, issue, tag)))
    answers.push(await give(http, issue, tag))
    const comparable = answers.map(({ status, text, headers }) => ({ status, text, location: headers.get('location') }))
    expect(comparable).toEqual(Array.from({ length: 21 }, () => ({ ...comparable[0], status: 201 })))
    expect(await tagsOf(issue)).toEqual([tag])
  })

  it('refuses cases and tags of another office like those that do not exist', async () => {
    const [here, there] = [await officeWithCase(), await officeWithCase()]
    const both = { status: 'error', errorMessages: { issue_id: 'does not exist', tag_id: 'does not exist' } }
    const nobodys = String(randomId())
    for (const [issue, tag] of [
      [there.issue, there.tag],
      [nobodys, nobodys],
    ]) {
      for (const { status, body } of [await give(here.http, issue, tag), await take(here.http, issue, tag)]) {
        expect({ status, body }).toEqual({ status: 400, body: both })
      }
    }
    expect((await give(here.http, here.issue, there.tag)).body).toMatchObject({ errorMessages: { tag_id: 'does not exist' } })
    expect((await here.http.post('/issue_tag', { IssueTag: { issue_id: 'x' } })).body).toMatchObject({
      errorMessages: { issue_id: 'must be an id', tag_id: 'is required' },
    })
  })
})

describe('DELETE /rest/issue_tag', () => {
  it('removes a tag from a case, even if the case does not have it', async () => {
    const { http, issue, tag, tagsOf } = await officeWithCase()
    const another = await newTag(http)
    for (const each of [tag, another]) await give(http, issue, each)
    for (let i = 0; i < 2; i++) expect(await take(http, issue, tag)).toMatchObject({ status: 200, body: done })
    expect(await tagsOf(issue)).toEqual([another])
    const { status, body } = await take(http, 'x', '')
    expect({ status, body }).toEqual({
      status: 400,
      body: { status: 'error', errorMessages: { issue_id: 'must be an id', tag_id: 'is required' } },
    })
  })

  it('with the id of a link deletes it once', async () => {
    const { http, issue, tag, tagsOf } = await officeWithCase()
    const { id } = (await give(http, issue, tag)).body
    const stranger = cases.asExpert(cases.office().administrator)
    const [foreign, unknown] = [await stranger.delete(`/issue_tag/${id}`), await stranger.delete('/issue_tag/abc')]
    expect({ status: foreign.status, text: foreign.text }).toEqual({ status: 404, text: unknown.text })
    expect((await http.delete(`/issue_tag/${id}`, { 'if-match': '"2"' })).status).toBe(412)
    expect((await http.delete(`/issue_tag/${id}`)).body).toEqual(done)
    expect((await http.delete(`/issue_tag/${id}`)).status).toBe(404)
    expect(await tagsOf(issue)).toEqual([])
  })
})

describe('a link', () => {
  it('is deleted with its tag and with its case', async () => {
    const { office, http, issue, tag, tagsOf } = await officeWithCase()
    const [other, last] = [await openIssue(http), await newTag(http)]
    for (const each of [issue, other]) for (const tagged of [tag, last]) await give(http, each, tagged)
    expect((await http.delete(`/tag/${tag}`, { 'if-match': '"2"' })).status).toBe(412)
    expect((await http.delete(`/tag/${tag}`)).body).toEqual(done)
    expect([await tagsOf(issue), await tagsOf(other)]).toEqual([[last], [last]])
    expect((await cases.asExpert(office.expert).delete(`/issue/${issue}`)).status).toBe(200)
    expect((await http.get<object[]>('/issue_tag')).body).toHaveLength(1)
  })

  it.each([
    ['tags', 'tag_id'],
    ['issues', 'issue_id'],
  ])('to one of %s that is deleted meanwhile is refused', async (table, field) => {
    const { http, issue, tag } = await officeWithCase()
    const deletion = await holdTransaction(cases.database, `DELETE FROM ${table} WHERE id = $1`, [table === 'tags' ? tag : issue])
    const given = give(http, issue, tag)
    await untilWaiting(cases.database, 1)
    await deletion.commit()
    expect(await given).toMatchObject({ status: 400, body: { errorMessages: { [field]: 'does not exist' } } })
  })

  it('that is deleted concurrently is created again', async () => {
    const { http, issue, tag, tagsOf } = await officeWithCase()
    const { id } = (await give(http, issue, tag)).body
    const removal = await holdTransaction(cases.database, 'DELETE FROM issue_tags WHERE id = $1', [id])
    const given = give(http, issue, tag)
    await untilWaiting(cases.database, 1)
    await removal.commit()
    const { status, body } = await given
    expect(status).toBe(201)
    expect(body.id).not.toBe(id)
    expect(await tagsOf(issue)).toEqual([tag])
  })
})

describe('the live stream', () => {
  const shows = (stream: Awaited<ReturnType<typeof connect>>, issue: number) =>
    next(stream, 'issue', ({ Issue }) => Issue.id === String(issue))
  const idsSeen = ({ events }: Awaited<ReturnType<typeof connect>>): string[] =>
    events.flatMap(({ event, data }) => (event === 'issue' ? [JSON.parse(data).Issue.id] : []))

  it('sends a case when its tags change', async () => {
    const { office, http, issue, tag } = await officeWithCase()
    const stream = await connect(office.expert)
    await next(stream, 'counter')
    const { id } = (await give(http, issue, tag)).body
    expect(await shows(stream, issue)).toEqual((await http.get(`/issue/${issue}`)).body)
    await http.delete(`/issue_tag/${id}`)
    await shows(stream, issue)
    await give(http, issue, tag)
    await shows(stream, issue)
    await take(http, issue, tag)
    await shows(stream, issue)
    expect(idsSeen(stream)).toEqual(Array.from({ length: 4 }, () => String(issue)))
  })

  it('sends nothing when nothing changes', async () => {
    const { office, http, issue, tag } = await officeWithCase()
    const revision = () => cases.database.rows('SELECT revision FROM feeds WHERE feed = $1', [officeFeed(office.customerId)])
    await take(http, issue, tag)
    const before = await revision()
    await give(http, issue, tag)
    const given = await revision()
    expect(given).not.toEqual(before)
    await give(http, issue, tag)
    await http.put(`/tag/${tag}`, { Tag: (await http.get<{ Tag: object }>(`/tag/${tag}`)).body.Tag })
    expect(await revision()).toEqual(given)
    await take(http, issue, tag)
    const taken = await revision()
    expect(taken).not.toEqual(given)
    await take(http, issue, tag)
    await http.delete(`/tag/${tag}`)
    expect(await revision()).toEqual(taken)
  })

  it('sends every case of a tag that is renamed', async () => {
    const { office, http, issue, tag } = await officeWithCase()
    const [other, untouched] = [await openIssue(http), await openIssue(http)]
    for (const each of [issue, other]) await give(http, each, tag)
    const stream = await connect(office.expert)
    await next(stream, 'counter')
    expect((await http.put(`/tag/${tag}`, { Tag: { name: 'Renamed' } })).status).toBe(200)
    await shows(stream, issue)
    await shows(stream, other)
    await shows(stream, await openIssue(http))
    expect(idsSeen(stream)).not.toContain(String(untouched))
  })

  it('sends every case of a tag that is deleted', async () => {
    const { office, http, issue, tag } = await officeWithCase()
    const [other, untouched] = [await openIssue(http), await openIssue(http)]
    for (const each of [issue, other]) await give(http, each, tag)
    const stream = await connect(office.expert)
    await next(stream, 'counter')
    await http.delete(`/tag/${tag}`)
    await shows(stream, issue)
    await shows(stream, other)
    const last = await openIssue(http)
    await shows(stream, last)
    expect(idsSeen(stream)).not.toContain(String(untouched))
  })

  it('sends tags to employees only, not to clients', async () => {
    const office = cases.office()
    const client = cases.client(office)
    const http = cases.asExpert(office.expert)
    const issue = await openIssue(http, { user_client_id: String(client.userId) })
    const stream = await connect(client, 'client')
    await give(http, issue, await newTag(http))
    await http.put(`/issue/${issue}`, { Issue: { subject: 'Later' } })
    expect(await next(stream, 'issue')).toMatchObject({ Issue: { subject: 'Later' } })
    expect(idsSeen(stream)).toEqual([String(issue)])
    expect((await cases.asClient(client).get('/issue_tag')).status).toBe(404)
  })
})

it('tags of cases are for employees only', async () => {
  const { http, issue, tag } = await officeWithCase()
  expect((await give(http.as(undefined), issue, tag)).status).toBe(401)
  expect((await take(http.as(undefined), issue, tag)).status).toBe(401)
  const stranger = cases.asExpert(cases.office().expert)
  await give(http, issue, tag)
  expect((await stranger.get('/issue_tag')).body).toEqual([])
})
