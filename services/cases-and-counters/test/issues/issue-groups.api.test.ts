import { IssueEvent } from '@caseway/protos/cases_and_counters/v1/events'
import { groupTopic, issueTopic } from '@caseway/protos/topics'
import { eventually, type HttpClient, randomId, type TestTenant } from '@caseway/testing'
import { group } from '@caseway/testing/fake-auth'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { type Cases, openIssue, startCases } from '../support/cases.js'
import { next, openStreams } from '../support/streams.js'

let cases: Cases
const published: IssueEvent[] = []
beforeAll(async () => {
  cases = await startCases()
  const handle = async ({ payload }: { payload: Uint8Array }) => void published.push(IssueEvent.decode(payload))
  await cases.transport.subscribe({ group: 'test', topics: [issueTopic.name], handle })
})
afterAll(() => cases.stop())

const streams = openStreams(() => cases)
afterEach(streams.closeAll)

type Shown = Record<string, string | null>
const read = async (http: HttpClient, id: number) => (await http.get<{ Issue: Shown }>(`/issue/${id}`)).body.Issue

async function groupOf({ customerId }: TestTenant) {
  const created = group({ id: randomId(), customerId })
  await cases.publish(groupTopic, created)
  return created
}
const deletionOf = (created: Awaited<ReturnType<typeof groupOf>>) => ({
  ...created,
  name: '',
  deleted: true,
  revision: created.revision + 1n,
})

function here() {
  const office = cases.office()
  return { office, http: cases.asExpert(office.expert) }
}

describe('group_id of a case', () => {
  it('is a group of the office', async () => {
    const { office, http } = here()
    const [one, other] = [await groupOf(office), await groupOf(office)]
    const id = await openIssue(http, { group_id: String(one.id) })
    expect(await read(http, id)).toMatchObject({ group_id: String(one.id) })
    expect((await http.put(`/issue/${id}`, { Issue: { group_id: Number(other.id) } })).status).toBe(200)
    expect(await read(http, id)).toMatchObject({ group_id: String(other.id) })
    const listed = async (group: bigint) => (await http.get<unknown[]>(`/issue?group_id=${group}`)).body
    expect([await listed(one.id), await listed(other.id)]).toEqual([[], [{ Issue: expect.objectContaining({ id: String(id) }) }]])
    expect((await http.put(`/issue/${id}`, { Issue: { group_id: null } })).status).toBe(200)
    expect(await read(http, id)).toMatchObject({ group_id: null })
  })

  it('may be one whose event has not arrived yet', async () => {
    const { office, http } = here()
    const created = group({ id: randomId(), customerId: office.customerId })
    cases.auth.groups.push(created)
    expect(await read(http, await openIssue(http, { group_id: String(created.id) }))).toMatchObject({ group_id: String(created.id) })
  })

  it('is refused with the same answer if it is of another office, deleted or unknown', async () => {
    const { office, http } = here()
    const [foreign, deleted] = [await groupOf(cases.office()), await groupOf(office)]
    await cases.publish(groupTopic, deletionOf(deleted))
    const id = await openIssue(http)
    for (const group_id of [foreign.id, deleted.id, randomId()].map(String)) {
      const answers = [
        await http.post('/issue', { Issue: { subject: 'A question', group_id } }),
        await http.put(`/issue/${id}`, { Issue: { group_id } }),
      ]
      for (const { status, body } of answers) {
        expect([status, body]).toEqual([400, { status: 'error', errorMessages: { group_id: 'does not exist' } }])
      }
    }
  })
})

describe('when a group is deleted', () => {
  it('its cases lose it: each gets a new version and an event without an author, and no other case is changed', async () => {
    const { office, http } = here()
    const [deleted, other] = [await groupOf(office), await groupOf(office)]
    const count = 45
    const fields = { group_id: String(deleted.id), user_id: String(office.expert.userId) }
    const ids = await Promise.all(Array.from({ length: count }, () => openIssue(http, fields)))
    const elsewhere = await openIssue(http, { group_id: String(other.id) })
    const counters = (await http.get('/counter')).body

    await cases.publish(groupTopic, deletionOf(deleted), deletionOf(deleted))
    const changes = await eventually(() => {
      const changes = published.filter(({ issueId, revision }) => ids.includes(Number(issueId)) && revision > 1n)
      expect(changes).toHaveLength(count)
      return changes
    })
    for (const { change, actorId, revision, state } of changes) {
      expect({ change: change?.$case, actorId, revision, groupId: state?.groupId }).toEqual({ change: 'changed', revision: 2n })
    }
    for (const id of ids) expect(await read(http, id)).toMatchObject({ group_id: null, version: '2', status: 'open' })
    expect(await read(http, elsewhere)).toMatchObject({ group_id: String(other.id), version: '1' })
    expect((await http.get('/counter')).body).toEqual(counters)
    expect(await cases.recount(office.customerId)).toBe(0)
  })

  it('the live stream shows the case', async () => {
    const { office, http } = here()
    const deleted = await groupOf(office)
    const id = await openIssue(http, { group_id: String(deleted.id) })
    const stream = await streams.connect(office.expert)
    await next(stream, 'counter')
    await cases.publish(groupTopic, deletionOf(deleted))
    expect(await next(stream, 'issue')).toMatchObject({ Issue: { id: String(id), group_id: null } })
  })

  it('no case that is written concurrently refers to it', async () => {
    const { office, http } = here()
    const deleted = await groupOf(office)
    const sent = () => http.post<{ id: number }>('/issue', { Issue: { subject: 'A question', group_id: String(deleted.id) } })
    const before = await Promise.all(Array.from({ length: 5 }, sent))
    const [meanwhile] = await Promise.all([Promise.all(Array.from({ length: 20 }, sent)), cases.publish(groupTopic, deletionOf(deleted))])
    expect((await sent()).status).toBe(400)
    const answers = [...before, ...meanwhile]
    expect(answers.filter(({ status }) => status !== 201 && status !== 400)).toEqual([])
    const named = 'SELECT id FROM issues WHERE customer_id = $1 AND group_id IS NOT NULL'
    await eventually(async () => expect(await cases.database.rows(named, [office.customerId])).toEqual([]))
  })

  it('its cases are read by an index', async () => {
    const plan = 'EXPLAIN SELECT id FROM issues WHERE customer_id = 1 AND group_id = 1 ORDER BY id LIMIT 20 FOR UPDATE'
    const rows = await cases.database.rows<{ 'QUERY PLAN': string }>(plan)
    expect(JSON.stringify(rows)).toContain('issues_customer_id_group_id_id_idx')
  })
})
