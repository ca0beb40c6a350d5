import type { LinkEvent } from '@caseway/protos/auth/v1/events'
import { linkTopic } from '@caseway/protos/topics'
import { holdTransaction, untilWaiting } from '@caseway/testing/held-transaction'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { officeFeed } from '../../src/feed/feed.js'
import { type Cases, openIssue, startCases } from '../support/cases.js'

let cases: Cases
beforeAll(async () => {
  cases = await startCases()
})
afterAll(() => cases.stop())

const sent = { Issue: { subject: 'Too late' } }

async function clientWithCase() {
  const office = cases.office()
  const client = cases.client(office)
  const link = cases.auth.links.at(-1) as LinkEvent
  await cases.publish(linkTopic, link)
  const http = cases.asClient(client)
  const id = await openIssue(http)
  const issues = () => cases.database.rows('SELECT subject FROM issues WHERE customer_id = $1', [office.customerId])
  return { office, link, http, id, issues, feed: officeFeed(office.customerId) }
}

/** The uncommitted statement by which the consumer stores a ban. */
const banHeld = ({ id }: LinkEvent) =>
  holdTransaction(
    cases.database,
    "UPDATE client_links SET linked = false, state = 'banned', revision = revision + 1, state_revision = revision + 1 WHERE id = $1",
    [id],
  )

describe('a concurrent ban and write of the client', () => {
  it.each([
    ['PUT', 404],
    ['POST', 400],
  ] as const)('the ban first: %s waits for it and is refused', async (method, refused) => {
    const { office, link, http, id, issues } = await clientWithCase()
    const ban = await banHeld(link)
    const written = method === 'PUT' ? http.put(`/issue/${id}`, sent) : http.post(`/issue?customer_id=${office.customerId}`, sent)
    await untilWaiting(cases.database, 1)
    await ban.commit()
    expect((await written).status).toBe(refused)
    expect(await issues()).toEqual([{ subject: 'A question' }])
  })

  it('the end of the link first: the write waits for it and is refused', async () => {
    const { link, http, id, issues } = await clientWithCase()
    const ending = await holdTransaction(
      cases.database,
      "UPDATE client_links SET linked = false, state = 'ended', revision = revision + 1, state_revision = revision + 1 WHERE id = $1",
      [link.id],
    )
    const written = http.put(`/issue/${id}`, sent)
    await untilWaiting(cases.database, 1)
    await ending.commit()
    const { status, body } = await written
    expect([status, body]).toEqual([403, expect.objectContaining({ errorCode: 'LINK_ENDED' })])
    expect(await issues()).toEqual([{ subject: 'A question' }])
  })

  it.each(['PUT', 'POST'] as const)('%s first: the ban waits for it', async (method) => {
    const { office, link, http, id, issues, feed } = await clientWithCase()
    // A change of a case locks the feed of its office last.
    const held = await holdTransaction(cases.database, 'SELECT FROM feeds WHERE feed = $1 FOR UPDATE', [feed])
    const written = method === 'PUT' ? http.put(`/issue/${id}`, sent) : http.post(`/issue?customer_id=${office.customerId}`, sent)
    await untilWaiting(cases.database, 1)
    const banned = cases.publish(linkTopic, { ...link, banned: true, revision: 2n })
    await untilWaiting(cases.database, 2)
    await held.commit()
    expect((await written).status).toBe(method === 'PUT' ? 200 : 201)
    await banned
    expect(await issues()).toContainEqual({ subject: 'Too late' })
    expect((await http.put(`/issue/${id}`, sent)).status).toBe(404)
  })
})

it('a client’s change waits for one of the office, and is checked against its result', async () => {
  const { http, id, issues } = await clientWithCase()
  const taken = await holdTransaction(
    cases.database,
    "UPDATE issues SET status = 'open', user_id = 1, version = version + 1 WHERE id = $1",
    [id],
  )
  const written = http.put(`/issue/${id}`, sent)
  await untilWaiting(cases.database, 1)
  await taken.commit()
  const { status, body } = await written
  expect([status, body]).toEqual([409, expect.objectContaining({ errorCode: 'ISSUE_STATE' })])
  expect(await issues()).toEqual([{ subject: 'A question' }])
})
