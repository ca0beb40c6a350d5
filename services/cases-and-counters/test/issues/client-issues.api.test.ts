import { randomUUID } from 'node:crypto'
import { LinkState } from '@caseway/protos/auth/v1/events'
import { linkTopic } from '@caseway/protos/topics'
import { eventually, randomId } from '@caseway/testing'
import { link } from '@caseway/testing/fake-auth'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Cases, clientUrl, openIssue, startCases } from '../support/cases.js'

let cases: Cases
beforeAll(async () => {
  cases = await startCases()
})
afterAll(() => cases.stop())

const question = { Issue: { subject: 'My question' } }

/** A client whose links have also arrived as events. */
async function linkedTo(...offices: ReturnType<Cases['office']>[]) {
  const client = cases.client(...offices)
  await cases.publish(linkTopic, ...cases.auth.links.filter(({ clientId }) => clientId === client.userId))
  return { ...client, http: cases.asClient(client) }
}

describe('a client opens a case', () => {
  it('at their only office, and sees a limited view of it', async () => {
    const office = cases.office()
    const { http, userId } = await linkedTo(office)
    const created = await http.post<{ id: number }>('/issue', { Issue: { ...question.Issue, status: 'open', user_id: '1', priority: 2 } })
    expect(created.status).toBe(201)
    expect(created.headers.get('location')).toBe(`${clientUrl}/rest/issue/${created.body.id}`)
    const { body } = await http.get(`/issue/${created.body.id}`)
    expect(body).toEqual({
      Issue: {
        ...{ id: String(created.body.id), customer_id: String(office.customerId), number: '1', subject: 'My question', status: 'new' },
        ...{ user_client_id: String(userId), created: expect.any(String), modified: expect.any(String) },
      },
    })
    const seen = await cases.asExpert(office.expert).get(`/issue/${created.body.id}`)
    expect(seen.body).toMatchObject({ Issue: { user_client_id: String(userId), source: 'portal', user_id: null, priority: '3' } })
    expect((await cases.asExpert(office.expert).get('/counter?type=unassigned')).body).toEqual({ Counter: { Issue: { unassigned: 1 } } })
  })

  it('names every wrong field, the office among them', async () => {
    const [office, other] = [cases.office(), cases.office()]
    const { http, userId } = await linkedTo(office, other)
    const refused = async (fields: object) => (await http.post('/issue', { Issue: fields })).body
    const wrong = (customer_id?: string) => ({
      status: 'error',
      errorMessages: { subject: 'is required', ...(customer_id && { customer_id }) },
    })
    expect(await refused({})).toEqual(wrong('is required'))
    expect(await refused({ customer_id: String(randomId()) })).toEqual(wrong('does not exist'))
    expect(await refused({ customer_id: 'x' })).toEqual(wrong('must be an id'))
    expect(await refused({ customer_id: String(office.customerId) })).toEqual(wrong())
    const linked = cases.auth.links.find(({ clientId, customerId }) => clientId === userId && customerId === office.customerId)
    Object.assign(linked ?? {}, { state: LinkState.ENDED, revision: 2n })
    await cases.publish(linkTopic, ...cases.auth.links.filter(({ clientId }) => clientId === userId))
    expect(await refused({ customer_id: String(office.customerId) })).toEqual(wrong())
  })

  it('at the office that they name in body or query, in its time zone', async () => {
    const [here, there] = [cases.office(), await cases.officeIn('Asia/Tokyo')]
    const { http } = await linkedTo(here, there)
    expect((await http.post('/issue', question)).body).toMatchObject({ errorMessages: { customer_id: 'is required' } })
    const inBody = await http.post('/issue', { Issue: { ...question.Issue, customer_id: Number(here.customerId) } })
    const twice = await http.post(`/issue?customer_id=${there.customerId}&customer_id=${there.customerId}`, { Issue: {} })
    const wrong = { subject: 'is required', customer_id: 'must be given once' }
    expect(twice).toMatchObject({ status: 400, body: { errorMessages: wrong } })
    const inQuery = await http.post<{ id: number }>(`/issue?customer_id=${there.customerId}`, question)
    expect([inBody.status, inQuery.status]).toEqual([201, 201])
    const all = await http.get<{ Issue: { customer_id: string; created: string } }[]>('/issue')
    expect(all.body.map(({ Issue }) => Issue.customer_id)).toEqual([String(here.customerId), String(there.customerId)])
    const [row] = await cases.database.rows<{ created: Date }>('SELECT created FROM issues WHERE id = $1', [inQuery.body.id])
    const { body } = await http.get<{ Issue: { created: string } }>(`/issue/${inQuery.body.id}`)
    expect(new Date(`${body.Issue.created.replace(' ', 'T')}+09:00`).getTime()).toBe(Math.floor(Number(row?.created) / 1000) * 1000)
    expect(all.body[1]?.Issue.created).toBe(body.Issue.created)
  })

  it('and uses modified_since in the time zone of the office that they name', async () => {
    const [here, there] = [cases.office(), await cases.officeIn('Asia/Tokyo')]
    const { http } = await linkedTo(here, there)
    await http.post(`/issue?customer_id=${there.customerId}`, question)
    const count = async (query: string) => (await http.get<object[]>(`/issue?customer_id=${there.customerId}&${query}`)).body.length
    const [row] = await cases.database.rows<{ since: string; after: string }>(
      `SELECT to_char(modified AT TIME ZONE 'Asia/Tokyo' - interval '1 minute', 'YYYY-MM-DD HH24:MI:SS') AS since,
        to_char(modified AT TIME ZONE 'Asia/Tokyo' + interval '1 minute', 'YYYY-MM-DD HH24:MI:SS') AS after FROM issues WHERE customer_id = $1`,
      [there.customerId],
    )
    expect(await count(`modified_since=${row?.since}`)).toBe(1)
    expect(await count(`modified_since=${row?.after}`)).toBe(0)
    expect((await http.get('/issue?customer_id=x')).body).toMatchObject({ errorMessages: { customer_id: 'must be an id' } })
  })

  it('not at an office without an active link, nor while banned', async () => {
    const office = cases.office()
    const refused = { status: 'error', errorMessages: { customer_id: 'does not exist' } }
    const ended = { status: 'error', errorMessages: 'Your link with this office is not active.', errorCode: 'LINK_ENDED' }
    const states = [
      { state: { banned: true }, answer: [400, refused] },
      { state: { banned: true, state: LinkState.ENDED }, answer: [400, refused] },
      { state: { state: LinkState.INVITED }, answer: [400, refused] },
      { state: { state: LinkState.ENDED }, answer: [403, ended] },
    ]
    for (const { state, answer } of states) {
      const client = cases.client()
      const held = link({ customerId: office.customerId, clientId: client.userId, ...state })
      cases.auth.links.push(held)
      await cases.publish(linkTopic, held)
      const { status, body } = await cases.asClient(client).post(`/issue?customer_id=${office.customerId}`, question)
      expect([status, body]).toEqual(answer)
      expect((await cases.asClient(client).post('/issue', question)).body).toMatchObject({ errorMessages: { customer_id: 'is required' } })
    }
    const unknown = await cases.asClient(cases.client()).post(`/issue?customer_id=${randomId()}`, question)
    expect(unknown.body).toEqual(refused)
  })

  it('as soon as auth has their link, before its event arrives', async () => {
    const office = cases.office()
    const http = cases.asClient(cases.client(office))
    expect((await http.post(`/issue?customer_id=${office.customerId}`, question)).status).toBe(201)
  })

  it('once for each Idempotency-Key', async () => {
    const office = cases.office()
    const { http } = await linkedTo(office)
    const key = { 'idempotency-key': randomUUID() }
    const answers = await Promise.all([1, 2, 3].map(() => http.post('/issue', question, key)))
    expect(answers.map(({ status, text }) => [status, text])).toEqual(answers.map(() => [201, answers[0]?.text]))
    expect((await http.get('/issue')).body).toHaveLength(1)
    expect(await cases.recount(office.customerId)).toBe(0)
  })

  it('not with an invalid body', async () => {
    const { http } = await linkedTo(cases.office())
    for (const Issue of [null, [], 'x']) {
      const { status, body } = await http.post(`/issue?customer_id=1`, { Issue })
      expect([status, body]).toEqual([400, { status: 'error', errorMessages: { Issue: 'is required' } }])
    }
    expect((await http.post('/issue', { Issue: { subject: ' ' } })).body).toMatchObject({ errorMessages: { subject: 'is required' } })
  })
})

describe('a client changes the subject', () => {
  it('while the case is new, and no other field', async () => {
    const office = cases.office()
    const { http } = await linkedTo(office)
    const id = await openIssue(http)
    const sent = { Issue: { subject: 'Better said', status: 'closed', user_id: String(office.expert.userId) } }
    expect((await http.put(`/issue/${id}`, sent)).body).toEqual({ status: 'OK' })
    const asExpert = cases.asExpert(office.expert)
    expect((await asExpert.get(`/issue/${id}`)).body).toMatchObject({ Issue: { subject: 'Better said', status: 'new', user_id: null } })
    expect((await http.put(`/issue/${id}`, sent, { 'if-match': '"1"' })).status).toBe(412)
    await asExpert.put(`/issue/${id}`, { Issue: { status: 'open' } })
    const late = await http.put(`/issue/${id}`, sent)
    expect([late.status, late.body]).toEqual([409, expect.objectContaining({ errorCode: 'ISSUE_STATE' })])
  })
})

describe('a client sees only their own cases', () => {
  it('another’s is the same 404 as one that does not exist', async () => {
    const office = cases.office()
    const [one, other] = [await linkedTo(office), await linkedTo(office)]
    const id = await openIssue(one.http)
    for (const method of ['GET', 'PUT']) {
      const sent = method === 'PUT' ? question : undefined
      const foreign = await other.http.request(method, `/issue/${id}`, sent)
      expect(foreign.status).toBe(404)
      expect((await other.http.request(method, `/issue/${randomId()}`, sent)).text).toBe(foreign.text)
    }
    expect((await other.http.get('/issue')).body).toEqual([])
    expect((await one.http.get<unknown[]>('/issue?status=new')).body).toHaveLength(1)
  })

  it('and no case without a client', async () => {
    const office = cases.office()
    const { http } = await linkedTo(office)
    const id = await openIssue(cases.asExpert(office.expert))
    expect((await http.get(`/issue/${id}`)).status).toBe(404)
  })

  it('cannot delete one', async () => {
    const { http } = await linkedTo(cases.office())
    const answer = await http.delete(`/issue/${await openIssue(http)}`)
    expect([answer.status, answer.headers.get('allow')?.includes('DELETE')]).toEqual([405, false])
  })

  it('requires a token for the address for clients', async () => {
    const office = cases.office()
    expect((await cases.asClient(office.expert).get('/issue')).status).toBe(401)
    expect((await cases.asClient(office.expert).as(undefined).post('/issue', question)).status).toBe(401)
  })
})

it('a ban is effective with its event, also for an office that the request does not name', async () => {
  const office = cases.office()
  const client = cases.client()
  const held = link({ customerId: office.customerId, clientId: client.userId })
  await cases.publish(linkTopic, held)
  const http = cases.asClient(client)
  await eventually(async () => expect((await http.post('/issue', question)).status).toBe(201))
  await cases.publish(linkTopic, { ...held, banned: true, revision: 2n })
  expect((await http.post('/issue', question)).status).toBe(400)
})
