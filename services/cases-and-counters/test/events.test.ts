import type { LinkEvent } from '@caseway/protos/auth/v1/events'
import { IssueEvent, IssueStatus } from '@caseway/protos/cases_and_counters/v1/events'
import { issueTopic, linkTopic } from '@caseway/protos/topics'
import { eventually } from '@caseway/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { type Cases, openIssue, startCases } from './support/cases.js'
import { offersOf, put, read } from './support/offers.js'

let cases: Cases
const published: IssueEvent[] = []
const keys = new Set<string>()
const { offered } = offersOf(() => cases)
beforeAll(async () => {
  cases = await startCases()
  const handle = async ({ key, payload }: { key: string; payload: Uint8Array }) => {
    keys.add(key)
    published.push(IssueEvent.decode(payload))
  }
  await cases.transport.subscribe({ group: 'test', topics: [issueTopic.name], handle })
})
afterAll(() => cases.stop())

it('every change of a case is published, in order, with its state and its version', async () => {
  const office = cases.office()
  const client = cases.client(office)
  const [asAnna, asBen] = [cases.asExpert(office.expert), cases.asExpert(office.specialist)]
  const [anna, ben, clara] = [office.expert, office.specialist, office.trainee].map(({ userId }) => userId) as [bigint, bigint, bigint]
  const id = await openIssue(asAnna, { user_client_id: String(client.userId) })
  const steps = [
    { http: asAnna, sent: { user_id: String(ben) } },
    { http: asBen, sent: { status: 'open' } },
    { http: asBen, sent: { delegated_user_id: String(clara) } },
    { http: asBen, sent: { delegated_user_id: null } },
    { http: asBen, sent: { status: 'closed' } },
    { http: asBen, sent: { status: 'open' } },
    { http: asAnna, sent: { subject: 'Renamed' } },
    { http: asBen, sent: { status: 'new' } },
    { http: asAnna, sent: { status: 'rejected' } },
  ]
  for (const { http, sent } of steps) expect((await http.put(`/issue/${id}`, { Issue: sent })).status).toBe(200)
  await asAnna.delete(`/issue/${id}`)

  const ofIssue = await eventually(() => {
    const found = published.filter(({ issueId }) => issueId === BigInt(id))
    expect(found).toHaveLength(steps.length + 2)
    return found
  })
  expect(ofIssue.map(({ change }) => change?.$case)).toEqual([
    'opened',
    'assigned',
    'accepted',
    'delegated',
    'takenBack',
    'closed',
    'reopened',
    'changed',
    'assigned',
    'rejected',
    'deleted',
  ])
  expect(ofIssue.map(({ revision }) => Number(revision))).toEqual(ofIssue.map((_, i) => i + 1))
  expect(ofIssue.every(({ customerId }) => customerId === office.customerId)).toBe(true)
  expect(keys).toEqual(new Set([String(office.customerId)]))
  expect(ofIssue[0]).toMatchObject({
    actorId: anna,
    state: { number: 1n, subject: 'A question', status: IssueStatus.NEW, userId: undefined, userClientId: client.userId },
  })
  expect(ofIssue[3]).toMatchObject({
    actorId: ben,
    change: { value: { userId: clara } },
    state: {
      ...{ number: 1n, subject: 'A question', status: IssueStatus.OPEN, userId: ben, delegatedUserId: clara, delegatedBy: ben },
      ...{ groupId: undefined, userClientId: client.userId },
    },
  })
  expect(ofIssue[1]).toMatchObject({ actorId: anna, change: { value: { userId: ben } } })
  expect(ofIssue[8]).toMatchObject({ change: { value: { userId: undefined } }, state: { status: IssueStatus.NEW, userId: undefined } })
})

it('a PUT that changes nothing publishes no event, and makes no new version', async () => {
  const office = cases.office()
  const client = cases.client(office)
  await cases.publish(linkTopic, cases.auth.links.at(-1) as LinkEvent)
  const [asAnna, asClient] = [cases.asExpert(office.expert), cases.asClient(client)]
  const id = await openIssue(asAnna, { user_client_id: String(client.userId), deadline: '2026-12-24 18:00:00' })
  for (const http of [asAnna, asClient]) {
    const { body } = await http.get(`/issue/${id}`)
    for (const sent of [{ Issue: {} }, body]) expect((await http.put(`/issue/${id}`, sent)).status).toBe(200)
    expect((await http.get(`/issue/${id}`)).body).toEqual(body)
  }
  await asAnna.put(`/issue/${id}`, { Issue: { subject: 'Renamed' } })
  await eventually(() => {
    const ofIssue = published
      .filter(({ issueId }) => issueId === BigInt(id))
      .map(({ change, revision }) => [change?.$case, Number(revision)])
    expect(ofIssue).toEqual([
      ['opened', 1],
      ['changed', 2],
    ])
  })
})

it('each change of an offer is published, but no PUT that changes nothing', async () => {
  const { expert, client, issueId, offer } = await offered()
  await cases.publish(linkTopic, cases.auth.links.at(-1) as LinkEvent)
  const id = await offer()
  const sentBack = async () => {
    const before = await read(expert, id)
    for (const fields of [{}, before]) expect((await put(expert, id, fields)).status).toBe(200)
    expect(await read(expert, id)).toEqual(before)
  }
  await sentBack()
  for (let i = 0; i < 2; i++) expect((await put(client, id, { is_chosen: 1 })).status).toBe(200)
  await sentBack()
  await put(expert, id, { amount: '1300.00' })
  await expert.put(`/issue/${issueId}`, { Issue: { subject: 'Renamed' } })
  await eventually(() => {
    const ofIssue = published
      .filter((event) => event.issueId === BigInt(issueId))
      .map(({ change, state }) => [change?.$case, state?.subject])
    expect(ofIssue).toEqual([['opened', 'A question'], ...Array(3).fill(['changed', 'A question']), ['changed', 'Renamed']])
  })
})
