import { linkTopic, removedObjectTopic } from '@caseway/protos/topics'
import { type HttpClient, randomId } from '@caseway/testing'
import { link } from '@caseway/testing/fake-auth'
import { client, employee, type ObjectsClient, objectsClient, status } from '@caseway/testing/objects-client'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Cases, openIssue, startCases } from '../support/cases.js'
import { put, write } from '../support/sentences.js'

let cases: Cases
let objects: ObjectsClient
beforeAll(async () => {
  cases = await startCases()
  objects = objectsClient(cases.service.grpcAddress)
})
afterAll(async () => {
  objects.close()
  await cases.stop()
})

const mayLink: ObjectsClient['mayLink'] = (...args) => objects.mayLink(...args)
const stateOf: ObjectsClient['stateOf'] = (...args) => objects.stateOf(...args)

/** A client's case, with the people who take part in it. */
async function withCase() {
  const office = cases.office()
  const { customerId } = office
  const owner = cases.client(office)
  await cases.publish(linkTopic, link({ customerId, clientId: owner.userId }))
  const [expert, trainee, own] = [cases.asExpert(office.expert), cases.asExpert(office.trainee), cases.asClient(owner)]
  const issue = await openIssue(expert, { user_client_id: String(owner.userId) })
  return { office, customerId, owner, expert, trainee, own, issue }
}

const comment = async (http: HttpClient, issue: number) =>
  (await http.post<{ id: number }>('/comment', { Comment: { issue_id: issue, body: 'Among us' } })).body.id

describe('a file may be attached', () => {
  it('to a case, by every employee but no client', async () => {
    const { office, customerId, owner, issue } = await withCase()
    expect(await mayLink(customerId, employee(office.trainee, 'trainee'), 'Issue', issue)).toBe(status.OK)
    expect(await mayLink(customerId, client(owner), 'Issue', issue)).toBe(status.NOT_FOUND)
    expect(await stateOf(customerId, 'Issue', issue)).toMatchObject({ id: String(issue), issue_id: String(issue) })
  })

  it('to a comment, by its author and by experts', async () => {
    const { office, customerId, owner, trainee, expert, issue } = await withCase()
    const [theirs, others] = [await comment(trainee, issue), await comment(expert, issue)]
    const ask = (id: number) => mayLink(customerId, employee(office.trainee, 'trainee'), 'Comment', id)
    expect([await ask(theirs), await ask(others)]).toEqual([status.OK, status.PERMISSION_DENIED])
    expect(await mayLink(customerId, employee(office.expert, 'expert'), 'Comment', theirs)).toBe(status.OK)
    expect(await mayLink(customerId, client(owner), 'Comment', theirs)).toBe(status.NOT_FOUND)
  })

  it('to a reply, by its author until it is under review, and then by those who may approve it', async () => {
    const { office, customerId, owner, trainee, issue } = await withCase()
    const { id } = (await write(trainee, issue, { status: 'draft' })).body
    const ask = async () => [
      await mayLink(customerId, employee(office.trainee, 'trainee'), 'IssueSentence', id),
      await mayLink(customerId, employee(office.specialist, 'specialist'), 'IssueSentence', id),
      await mayLink(customerId, employee(office.expert, 'expert'), 'IssueSentence', id),
      await mayLink(customerId, client(owner), 'IssueSentence', id),
    ]
    const { OK, PERMISSION_DENIED, NOT_FOUND } = status
    expect(await ask()).toEqual([OK, PERMISSION_DENIED, OK, NOT_FOUND])
    await put(trainee, id, { status: 'to_review' })
    expect(await ask()).toEqual([PERMISSION_DENIED, PERMISSION_DENIED, OK, NOT_FOUND])
    await put(cases.asExpert(office.expert), id, { status: 'sent' })
    expect(await ask()).toEqual([PERMISSION_DENIED, PERMISSION_DENIED, OK, PERMISSION_DENIED])
  })

  it('to a client’s sentence, by the client', async () => {
    const { office, customerId, owner, own, issue } = await withCase()
    const { body } = await own.post<{ id: number }>('/issue_sentence', { IssueSentence: { issue_id: issue, body: 'Help' } })
    expect(await mayLink(customerId, client(owner), 'IssueSentence', body.id)).toBe(status.OK)
    const another = cases.client(office)
    expect(await mayLink(customerId, client(another), 'IssueSentence', body.id)).toBe(status.NOT_FOUND)
  })

  it('never to an object of another office or an unknown one, nor without a person', async () => {
    const { office, customerId, owner, issue } = await withCase()
    const expert = employee(office.expert, 'expert')
    const elsewhere = (await withCase()).customerId
    for (const [where, name, id] of [
      [elsewhere, 'Issue', issue],
      [customerId, 'Issue', randomId()],
      [customerId, 'constructor', issue],
    ] as const) {
      expect(await mayLink(where, expert, name, id)).toBe(status.NOT_FOUND)
    }
    expect(await mayLink(elsewhere, client(owner), 'Issue', issue)).toBe(status.NOT_FOUND)
    for (const person of [{}, employee(office.expert, 'client'), employee(office.expert, 'king')])
      expect(await mayLink(customerId, person, 'Issue', issue)).toBe(status.PERMISSION_DENIED)
  })
})

describe('an object is seen', () => {
  it('by the client of the case once the reply is sent, and by a later client', async () => {
    const { office, customerId, owner, expert, issue } = await withCase()
    const { id } = (await write(expert, issue, { status: 'draft' })).body
    const before = await stateOf(customerId, 'IssueSentence', id)
    expect(before?.user_client_id ?? '0').toBe('0')
    await put(expert, id, { status: 'sent' })
    const sent = await stateOf(customerId, 'IssueSentence', id)
    expect(sent).toMatchObject({ user_client_id: String(owner.userId), issue_id: String(issue) })
    const another = cases.client(office)
    await expert.put(`/issue/${issue}`, { Issue: { user_client_id: String(another.userId) } })
    const given = await stateOf(customerId, 'IssueSentence', id)
    expect(given).toMatchObject({ user_client_id: String(another.userId) })
    const revisions = [before, sent, given].map((state) => Number(state?.revision))
    expect(revisions).toEqual([...revisions].sort((a, b) => a - b))
    expect(new Set(revisions).size).toBe(3)
  })
})

describe('a deleted object', () => {
  const removed = async (customerId: bigint) =>
    (await cases.published(removedObjectTopic)).flatMap(({ event }) =>
      event.customerId === customerId ? event.objectIds.map((id) => `${event.objectName} ${id}`) : [],
    )

  it('is published if it is a comment or a sentence', async () => {
    const { customerId, expert, trainee, issue } = await withCase()
    const [commentId, draft] = [await comment(trainee, issue), (await write(expert, issue, { status: 'draft' })).body.id]
    const sent = (await write(expert, issue)).body.id
    await expert.delete(`/comment/${commentId}`)
    for (const id of [draft, sent]) await expert.delete(`/issue_sentence/${id}`)
    expect(await removed(customerId)).toEqual([`Comment ${commentId}`, `IssueSentence ${draft}`, `IssueSentence ${sent}`])
    expect(await stateOf(customerId, 'IssueSentence', sent)).toBeUndefined()
  })
})
