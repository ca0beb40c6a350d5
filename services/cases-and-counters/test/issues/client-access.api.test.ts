import { type LinkEvent, LinkState } from '@caseway/protos/auth/v1/events'
import { linkTopic } from '@caseway/protos/topics'
import { eventually, type HttpClient, randomId, type TestTenant } from '@caseway/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { clientFeed } from '../../src/feed/feed.js'
import { type Cases, openIssue, startCases } from '../support/cases.js'
import { next, openStreams } from '../support/streams.js'

let cases: Cases
const { connect, closeAll } = openStreams(() => cases)
beforeAll(async () => {
  cases = await startCases()
})
afterEach(closeAll)
afterAll(() => cases.stop())

const sent = { Issue: { subject: 'Another subject' } }
const linkEnded = { status: 'error', errorMessages: 'Your link with this office is not active.', errorCode: 'LINK_ENDED' }

/** A client with a case at each of two offices, of which the first changes the link during the test. */
async function clientOfTwo() {
  const [here, there] = [cases.office(), cases.office()]
  const client = cases.client(here, there)
  const links = cases.auth.links.filter(({ clientId }) => clientId === client.userId)
  await cases.publish(linkTopic, ...links)
  const http = cases.asClient(client)
  const open = async ({ customerId }: TestTenant) =>
    (await http.post<{ id: number }>(`/issue?customer_id=${customerId}`, { Issue: { subject: 'A question' } })).body.id
  const ids = { here: await open(here), there: await open(there) }
  let held = links.find(({ customerId }) => customerId === here.customerId) as LinkEvent
  /** Changes the link in auth, and publishes it. */
  const change = async (fields: Partial<LinkEvent>) => {
    const changed = { ...held, ...fields, revision: held.revision + 1n }
    cases.auth.links.splice(cases.auth.links.indexOf(held), 1, changed)
    held = changed
    await cases.publish(linkTopic, changed)
  }
  return { here, there, client, http, ids, change, link: () => held }
}

const idsOf = async (http: HttpClient, query = '') =>
  (await http.get<{ Issue: { id: string } }[]>(`/issue${query}`)).body.map(({ Issue }) => Number(Issue.id))

describe('a banned client', () => {
  it('sees and changes nothing of that office, and everything of the other', async () => {
    const { here, there, http, ids, change } = await clientOfTwo()
    await change({ banned: true })
    const unknown = await http.get(`/issue/${randomId()}`)
    for (const [method, body] of [['GET'], ['PUT', sent]] as const) {
      const { status, text } = await http.request(method, `/issue/${ids.here}`, body)
      expect([status, text]).toEqual([404, unknown.text])
    }
    expect(await idsOf(http)).toEqual([ids.there])
    expect(await idsOf(http, `?customer_id=${here.customerId}`)).toEqual([])
    expect((await http.get('/issue?count=1')).headers.get('x-total-count')).toBe('1')
    const opened = await http.post(`/issue?customer_id=${here.customerId}`, sent)
    expect([opened.status, opened.body]).toEqual([400, { status: 'error', errorMessages: { customer_id: 'does not exist' } }])
    expect((await http.put(`/issue/${ids.there}`, sent)).status).toBe(200)
    expect((await http.post('/issue', sent)).status).toBe(201)
    expect(await idsOf(http, `?customer_id=${there.customerId}`)).toHaveLength(2)
    const seen = await cases.asExpert(here.expert).get(`/issue/${ids.here}`)
    expect(seen.body).toMatchObject({ Issue: { subject: 'A question' } })
  })

  it('sees everything again when the ban is lifted', async () => {
    const { http, ids, change } = await clientOfTwo()
    await change({ banned: true })
    await change({ banned: false })
    expect(await idsOf(http)).toEqual([ids.here, ids.there])
    expect((await http.put(`/issue/${ids.here}`, sent)).status).toBe(200)
  })

  it('gets nothing of the office from any operation', async () => {
    const { here, http, ids, change } = await clientOfTwo()
    const bodies: Record<string, object> = {
      '/rest/issue': sent,
      '/rest/issue_sentence': { IssueSentence: { issue_id: ids.here, body: 'Hello' } },
      '/rest/issue_payment_offer': { IssuePaymentOffer: { issue_id: ids.here, amount: '1.00', is_chosen: 1 } },
    }
    const made: Record<string, number> = { '/rest/issue': ids.here }
    for (const [path, body] of Object.entries(bodies))
      made[path] ??= (await http.post<{ id: number }>(path.replace('/rest', ''), body)).body.id
    await change({ banned: true })
    const document = await fetch(`${cases.service.httpUrl}/client/openapi.json`)
    const { paths } = (await document.json()) as { paths: Record<string, object> }
    const before = await cases.database.rows('SELECT i::text FROM issues i WHERE customer_id = $1', [here.customerId])
    const requests: string[] = []
    for (const [path, operations] of Object.entries(paths)) {
      if (path.includes('/event/')) continue
      const resource = path.replace('/{id}', '')
      for (const method of Object.keys(operations).filter((key) => ['get', 'post', 'put', 'delete'].includes(key))) {
        const address = path.replace(/^\/rest/, '').replace('{id}', String(made[resource]))
        const body = method === 'get' ? undefined : bodies[resource]
        const { status, text } = await http.request(method.toUpperCase(), `${address}?customer_id=${here.customerId}`, body)
        requests.push(`${method} ${path}`)
        if (path.includes('{id}')) expect([method, path, status]).toEqual([method, path, 404])
        else if (method === 'get') expect([path, text]).toEqual([path, '[]'])
        else expect([method, path, status]).toEqual([method, path, 400])
      }
    }
    expect(requests).toContain('put /rest/issue/{id}')
    expect(await cases.database.rows('SELECT i::text FROM issues i WHERE customer_id = $1', [here.customerId])).toEqual(before)
  })
})

describe('after the link has ended', () => {
  it('a client can read, but not write', async () => {
    const { here, http, ids, change } = await clientOfTwo()
    await change({ state: LinkState.ENDED })
    expect(await idsOf(http)).toEqual([ids.here, ids.there])
    expect((await http.get(`/issue/${ids.here}`)).status).toBe(200)
    const refused = [await http.put(`/issue/${ids.here}`, sent), await http.post(`/issue?customer_id=${here.customerId}`, sent)]
    for (const { status, body } of refused) expect([status, body]).toEqual([403, linkEnded])
    expect((await cases.asExpert(here.expert).get(`/issue/${ids.here}`)).body).toMatchObject({ Issue: { subject: 'A question' } })
  })

  it('the same holds while a new invitation is not accepted', async () => {
    const { http, ids, change } = await clientOfTwo()
    await change({ state: LinkState.ENDED })
    await change({ state: LinkState.INVITED })
    expect((await http.get(`/issue/${ids.here}`)).status).toBe(200)
    expect((await http.put(`/issue/${ids.here}`, sent)).status).toBe(403)
  })

  it('a stream still sends the cases', async () => {
    const { here, client, ids, change } = await clientOfTwo()
    const stream = await connect(client, 'client')
    await change({ state: LinkState.ENDED })
    await cases.asExpert(here.expert).put(`/issue/${ids.here}`, { Issue: { subject: 'Exposed' } })
    expect(await next(stream, 'issue')).toMatchObject({ Issue: { subject: 'Exposed' } })
  })

  it('a banned client sees nothing', async () => {
    const { http, ids, change } = await clientOfTwo()
    await change({ state: LinkState.ENDED })
    await change({ banned: true })
    expect(await idsOf(http)).toEqual([ids.there])
    expect((await http.put(`/issue/${ids.here}`, sent)).status).toBe(404)
  })
})

describe('a link whose copy is incomplete', () => {
  it('shows nothing until its state is published again', async () => {
    const { http, ids, change, link } = await clientOfTwo()
    await change({ state: LinkState.ENDED })
    // Older builds do not write the state.
    await cases.database.rows('UPDATE client_links SET revision = revision + 1, linked = false WHERE id = $1', [link().id])
    expect(await idsOf(http)).toEqual([ids.there])
    await cases.publish(linkTopic, { ...link(), revision: link().revision + 1n })
    expect(await idsOf(http)).toEqual([ids.here, ids.there])
  })

  it('shows nothing if its state is unknown to this build', async () => {
    const { http, ids, change } = await clientOfTwo()
    await change({ state: 99 as LinkState })
    expect(await idsOf(http)).toEqual([ids.there])
  })
})

describe('the stream of a client who is banned by one of two offices', () => {
  it('gets a reset and ends; the next one only sends the cases of the other office', async () => {
    const { here, there, client, ids, change } = await clientOfTwo()
    const stream = await connect(client, 'client')
    await cases.asExpert(here.expert).put(`/issue/${ids.here}`, { Issue: { subject: 'Still seen' } })
    await next(stream, 'issue')
    const lastEventId = stream.events.at(-1)?.id ?? ''
    await change({ banned: true })
    expect(await next(stream, 'reset')).toEqual({})
    await stream.ended
    const again = await connect(client, 'client', { lastEventId: stream.events.at(-1)?.id ?? '' })
    await cases.asExpert(here.expert).put(`/issue/${ids.here}`, { Issue: { subject: 'Hidden' } })
    await cases.asExpert(there.expert).put(`/issue/${ids.there}`, { Issue: { subject: 'Shown' } })
    expect(await next(again, 'issue')).toMatchObject({ Issue: { id: String(ids.there), subject: 'Shown' } })
    expect(again.events.map(({ event }) => event)).toEqual(['issue'])
    // A reader who resumes from before the ban gets a reset too.
    const old = await connect(client, 'client', { lastEventId })
    await next(old, 'reset')
    await old.ended
    expect(JSON.stringify(old.events)).not.toContain(`"${ids.here}"`)
  })

  it('resumes after changes before the ban, without the ids of their cases', async () => {
    const { here, client, ids, change } = await clientOfTwo()
    const stream = await connect(client, 'client')
    await cases.asExpert(here.expert).put(`/issue/${ids.here}`, { Issue: { subject: 'First' } })
    await next(stream, 'issue')
    const lastEventId = stream.events.at(-1)?.id ?? ''
    await stream.close()
    await cases.asExpert(here.expert).put(`/issue/${ids.here}`, { Issue: { subject: 'Missed' } })
    await change({ banned: true })
    const again = await connect(client, 'client', { lastEventId })
    await next(again, 'reset')
    await again.ended
    expect(again.events.map(({ event }) => event)).toEqual(['reset'])
  })

  it('does not advance with changes at that office', async () => {
    const { here, client, ids, change } = await clientOfTwo()
    await change({ banned: true })
    const revision = () => cases.database.rows('SELECT revision FROM feeds WHERE feed = $1', [clientFeed(client.userId)])
    const before = await revision()
    expect((await cases.asExpert(here.expert).put(`/issue/${ids.here}`, sent)).status).toBe(200)
    expect(await revision()).toEqual(before)
  })

  it('ends again when the ban is lifted, so that everything is read again', async () => {
    const { client, change, link } = await clientOfTwo()
    await change({ banned: true })
    const stream = await connect(client, 'client')
    await change({ banned: false })
    await next(stream, 'reset')
    await stream.ended
    const later = await connect(client, 'client', { lastEventId: stream.events.at(-1)?.id ?? '' })
    // A repeated event changes nothing.
    await cases.publish(linkTopic, link())
    const id = await openIssue(cases.asClient(client), { customer_id: String(link().customerId) })
    expect(await next(later, 'issue')).toMatchObject({ Issue: { id: String(id) } })
    expect(later.events.map(({ event }) => event)).toEqual(['issue'])
  })
})

it('a link that auth has before its event arrives shows the case at once', async () => {
  const office = cases.office()
  const client = cases.client(office)
  const id = await openIssue(cases.asExpert(office.expert), { user_client_id: String(client.userId) })
  await eventually(async () => expect((await cases.asClient(client).get(`/issue/${id}`)).status).toBe(200))
})
