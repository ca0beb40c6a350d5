import { groupTopic } from '@caseway/protos/topics'
import { eventually, type HttpClient, type Person, randomId, testTechnical } from '@caseway/testing'
import { group } from '@caseway/testing/fake-auth'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Cases, expertUrl, openIssue, startCases } from '../support/cases.js'

let cases: Cases
beforeAll(async () => {
  cases = await startCases()
})
afterAll(() => cases.stop())

const done = { status: 'OK' }
const say = (http: HttpClient, Comment: object) => http.post<{ id: number }>('/comment', { Comment: { body: 'A remark', ...Comment } })
const listOf = async (http: HttpClient, query = '') =>
  (await http.get<{ Comment: { id: string } }[]>(`/comment${query}`)).body.map(({ Comment }) => Number(Comment.id))
const notificationsOf = async (person: Person<unknown>) => {
  const { body } = await cases.asExpert(person).get<{ Notification: { type: string } }[]>('/notification?sort=id')
  return body.map(({ Notification }) => Notification).filter(({ type }) => type === 'comments_add')
}

/** Creates an office with a group. */
async function withGroup() {
  const office = cases.office()
  const created = group({ id: randomId(), customerId: office.customerId })
  await cases.publish(groupTopic, created)
  const [expert, trainee] = [cases.asExpert(office.expert), cases.asExpert(office.trainee)]
  return { office, created, expert, trainee, groupId: String(created.id) }
}

describe('POST /rest/comment', () => {
  it('is for a group, and shown as specified', async () => {
    const { office, trainee, groupId } = await withGroup()
    const created = await say(trainee, { group_id: groupId, user_id: String(office.trainee.userId), body: 'A remark\nof two lines' })
    expect([created.status, created.body]).toEqual([201, { id: expect.any(Number) }])
    expect(created.headers.get('location')).toBe(`${expertUrl}/rest/comment/${created.body.id}`)
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
    const Comment = {
      ...{ id: String(created.body.id), group_id: groupId, user_id: String(office.trainee.userId), issue_id: null },
      ...{ body: 'A remark\nof two lines', created: time, modified: time },
    }
    expect((await trainee.get(`/comment/${created.body.id}`)).body).toEqual({ Comment })
    expect((await trainee.get('/comment')).body).toEqual([{ Comment }])
  })

  it('may be for a group whose event has not arrived yet', async () => {
    const office = cases.office()
    const created = group({ id: randomId(), customerId: office.customerId })
    cases.auth.groups.push(created)
    expect((await say(cases.asExpert(office.trainee), { group_id: String(created.id) })).status).toBe(201)
  })

  it('on a case notifies its owner and its delegate, except the author', async () => {
    const { office, expert, trainee } = await withGroup()
    const issue = await openIssue(expert, { user_id: String(office.specialist.userId) })
    await expert.put(`/issue/${issue}`, { Issue: { delegated_user_id: String(office.trainee.userId) } })
    await say(trainee, { issue_id: String(issue) })
    const notification = { from_user_id: String(office.trainee.userId), issue_id: String(issue), status: 'new' }
    expect(await notificationsOf(office.specialist)).toMatchObject([notification])
    expect(await notificationsOf(office.trainee)).toEqual([])
    await say(expert, { issue_id: String(issue) })
    expect(await notificationsOf(office.trainee)).toHaveLength(1)
    expect(await notificationsOf(office.specialist)).toHaveLength(2)
    expect(await notificationsOf(office.expert)).toEqual([])
  })

  it('refuses records of another office like those that do not exist, all in one answer', async () => {
    const [{ expert }, theirs] = [await withGroup(), await withGroup()]
    const foreign = await say(expert, {
      ...{ group_id: theirs.groupId, user_id: String(theirs.office.expert.userId) },
      issue_id: String(await openIssue(theirs.expert)),
    })
    const missing = { group_id: 'does not exist', user_id: 'does not exist', issue_id: 'does not exist' }
    expect([foreign.status, foreign.body]).toEqual([400, { status: 'error', errorMessages: missing }])
    const unknown = await say(expert, { group_id: String(randomId()), user_id: String(randomId()), issue_id: String(randomId()) })
    expect(unknown.text).toBe(foreign.text)
    const blank = await say(expert, { body: ' ', group_id: theirs.groupId, user_id: String(randomId()) })
    expect(blank.body).toMatchObject({ errorMessages: { body: 'is required', group_id: 'does not exist', user_id: 'does not exist' } })
    expect(await listOf(theirs.expert)).toEqual([])
  })

  it('names a missing body together with a missing group, but requires no group beside a case', async () => {
    const { expert } = await withGroup()
    const refused = async (fields: object) => (await expert.post('/comment', { Comment: fields })).body
    const errors = (errorMessages: object) => ({ status: 'error', errorMessages })
    const body = 'is required'
    expect(await refused({})).toEqual(errors({ body, group_id: 'is required' }))
    expect(await refused({ body: 'Hello' })).toEqual(errors({ group_id: 'is required' }))
    expect(await refused({ group_id: 'x' })).toEqual(errors({ body, group_id: 'must be an id' }))
    expect(await refused({ issue_id: 'x' })).toEqual(errors({ body, issue_id: 'must be an id' }))
    expect(await refused({ issue_id: String(randomId()) })).toEqual(errors({ body, issue_id: 'does not exist' }))
    const { id } = (await say(expert, { issue_id: String(await openIssue(expert)) })).body
    expect((await expert.put(`/comment/${id}`, { Comment: { body: ' ' } })).body).toEqual(errors({ body }))
  })

  it('refuses a case, or a group, that the office does not have, and notifies nobody', async () => {
    const [{ office, expert, groupId }, theirs] = [await withGroup(), await withGroup()]
    const foreign = String(await openIssue(theirs.expert, { user_id: String(theirs.office.specialist.userId) }))
    const own = String(await openIssue(expert, { user_id: String(office.specialist.userId) }))
    const missing = 'does not exist'
    for (const [named, errorMessages] of [
      [{ issue_id: foreign }, { issue_id: missing }],
      [{ issue_id: String(randomId()), group_id: groupId }, { issue_id: missing }],
      [{ issue_id: own, group_id: theirs.groupId }, { group_id: missing }],
      [
        { issue_id: foreign, group_id: theirs.groupId },
        { issue_id: missing, group_id: missing },
      ],
    ] as const) {
      const refused = await say(expert, named)
      expect([refused.status, refused.body]).toEqual([400, { status: 'error', errorMessages }])
    }
    expect([await listOf(expert), await listOf(theirs.expert)]).toEqual([[], []])
    for (const { specialist } of [office, theirs.office]) expect(await notificationsOf(specialist)).toEqual([])
  })

  it('with the same key creates one comment, and notifies once', async () => {
    const { office, expert } = await withGroup()
    const issue = String(await openIssue(expert, { user_id: String(office.specialist.userId) }))
    const sent = { Comment: { issue_id: issue, body: 'A remark' } }
    const answers = [1, 2].map(() => expert.post('/comment', sent, { 'idempotency-key': `comment-${issue}` }))
    const [first, second] = await Promise.all(answers)
    expect([first?.status, second?.text]).toEqual([201, first?.text])
    expect(await listOf(expert)).toHaveLength(1)
    expect(await notificationsOf(office.specialist)).toHaveLength(1)
  })

  it("is written in the caller's name, and by experts in that of others as well", async () => {
    const { office, expert, trainee, groupId } = await withGroup()
    const inNameOf = (http: typeof trainee, { userId }: { userId: bigint }) => say(http, { group_id: groupId, user_id: String(userId) })
    expect((await inNameOf(trainee, office.expert)).status).toBe(403)
    expect((await inNameOf(trainee, office.trainee)).status).toBe(201)
    expect((await inNameOf(expert, office.trainee)).status).toBe(201)
  })

  it.each<[object, string]>([
    [{ body: ' ' }, 'body'],
    [{ body: 'x'.repeat(10_001) }, 'body'],
    [{ group_id: null }, 'group_id'],
  ])('refuses %j', async (sent, field) => {
    const { expert, groupId } = await withGroup()
    const { status, body } = await say(expert, { group_id: groupId, ...sent })
    expect([status, body]).toEqual([400, { status: 'error', errorMessages: { [field]: expect.any(String) } }])
  })
})

it('GET /rest/comment lists the comments of a group or of a case', async () => {
  const { expert, groupId } = await withGroup()
  const issue = String(await openIssue(expert))
  const first = (await say(expert, { group_id: groupId })).body.id
  const second = (await say(expert, { issue_id: issue })).body.id
  const third = (await say(expert, { group_id: groupId, issue_id: issue })).body.id
  expect(await listOf(expert, '?sort=-id')).toEqual([third, second, first])
  expect(await listOf(expert, `?group_id=${groupId}`)).toEqual([first, third])
  expect(await listOf(expert, `?issue_id=${issue}`)).toEqual([second, third])
  expect(await listOf(expert, '?issue_id=')).toEqual([first])
})

describe('PUT and DELETE /rest/comment/{id}', () => {
  it('are for the caller’s own, and for experts for all', async () => {
    const { office, expert, trainee, groupId } = await withGroup()
    const id = (await say(trainee, { group_id: groupId })).body.id
    const sent = { Comment: { body: 'Changed', group_id: null, user_id: '1', issue_id: '1' } }
    const specialist = cases.asExpert(office.specialist)
    expect((await specialist.put(`/comment/${id}`, sent)).status).toBe(403)
    expect((await specialist.delete(`/comment/${id}`)).status).toBe(403)
    expect((await trainee.put(`/comment/${id}`, sent)).body).toEqual(done)
    const changed = { body: 'Changed', group_id: groupId, user_id: String(office.trainee.userId), issue_id: null }
    expect((await trainee.get(`/comment/${id}`)).body).toMatchObject({ Comment: changed })
    expect((await trainee.put(`/comment/${id}`, sent, { 'if-match': '"1"' })).status).toBe(412)
    expect((await expert.put(`/comment/${id}`, sent)).body).toEqual(done)
    expect((await trainee.delete(`/comment/${id}`)).body).toEqual(done)
    const another = (await say(trainee, { group_id: groupId })).body.id
    expect((await expert.delete(`/comment/${another}`)).body).toEqual(done)
    expect(await listOf(expert)).toEqual([])
  })

  it('get the same 404 for another office’s comment as for an unknown id', async () => {
    const [{ expert, groupId }, stranger] = [await withGroup(), cases.asExpert(cases.office().expert)]
    const id = (await say(expert, { group_id: groupId })).body.id
    for (const [method, sent] of [['GET'], ['PUT', { Comment: { body: 'No' } }], ['DELETE']] as const) {
      const foreign = await stranger.request(method, `/comment/${id}`, sent)
      const unknown = await stranger.request(method, `/comment/${randomId()}`, sent)
      expect([foreign.status, foreign.text]).toEqual([404, unknown.text])
    }
    expect(await listOf(expert)).toEqual([id])
  })
})

describe('comments are deleted', () => {
  it('with their group, however often its deletion is delivered, and no others', async () => {
    const { created, expert, groupId, office } = await withGroup()
    const kept = group({ id: randomId(), customerId: office.customerId })
    await cases.publish(groupTopic, kept)
    await say(expert, { group_id: groupId })
    const staying = (await say(expert, { group_id: String(kept.id) })).body.id
    const deleted = { ...created, deleted: true, revision: created.revision + 1n }
    await cases.publish(groupTopic, deleted, deleted)
    await eventually(async () => expect(await listOf(expert)).toEqual([staying]))
  })

  it('with their case', async () => {
    const { expert } = await withGroup()
    const [issue, other] = [await openIssue(expert), await openIssue(expert)]
    await say(expert, { issue_id: String(issue) })
    const staying = (await say(expert, { issue_id: String(other) })).body.id
    await expert.delete(`/issue/${issue}`)
    expect(await listOf(expert)).toEqual([staying])
  })
})

it.each([
  ['GET', '/comment'],
  ['POST', '/comment'],
  ['GET', '/comment/1'],
  ['PUT', '/comment/1'],
  ['DELETE', '/comment/1'],
] as const)('%s %s: refused without a token, for technical accounts and for clients', async (method, path) => {
  const office = cases.office()
  const sent = method === 'POST' || method === 'PUT' ? { Comment: { body: 'x' } } : undefined
  expect((await cases.asExpert(office.expert).as(undefined).request(method, path, sent)).status).toBe(401)
  expect((await cases.asExpert(testTechnical(cases.issuer)).request(method, path, sent)).status).toBe(403)
  expect((await cases.asExpert(cases.client(office)).request(method, path, sent)).status).toBe(401)
  expect((await cases.asClient(cases.client(office)).request(method, path, sent)).status).toBe(404)
})
