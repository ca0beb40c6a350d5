import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Cases, startCases } from '../support/cases.js'
import { offersOf, post, put, read } from '../support/offers.js'

let cases: Cases
beforeAll(async () => {
  cases = await startCases()
})
afterAll(() => cases.stop())

const { offered } = offersOf(() => cases)

describe('choosing an offer', () => {
  it('undoes other choices in the case, and notifies owner and delegate once', async () => {
    const { office, expert, client, issueId, offer } = await offered()
    await expert.put(`/issue/${issueId}`, { Issue: { delegated_user_id: String(office.trainee.userId) } })
    const [one, other] = [await offer(), await offer()]
    for (const id of [one, other, other]) expect((await put(client, id, { is_chosen: '1' })).body).toEqual({ status: 'OK' })
    expect([(await read(expert, one)).is_chosen, (await read(expert, other)).is_chosen]).toEqual([0, 1])
    const notified = await cases.database.rows<{ user_id: string }>(
      "SELECT user_id, from_user_id, object_id FROM notifications WHERE issue_id = $1 AND type = 'offer_chosen' ORDER BY object_id, user_id",
      [issueId],
    )
    const people = [office.expert, office.trainee].map(({ userId }) => String(userId)).sort()
    const each = (id: number) => people.map((user_id) => ({ user_id, from_user_id: null, object_id: String(id) }))
    expect(notified).toEqual([...each(one), ...each(other)])
  })

  it('with an old version is refused', async () => {
    const { expert, client, offer } = await offered()
    const id = await offer()
    const etag = (await client.get(`/issue_payment_offer/${id}`)).headers.get('etag') ?? ''
    await put(expert, id, { amount: '2000' })
    for (const sent of [{ is_chosen: 1 }, {}]) expect((await put(client, id, sent, { 'if-match': etag })).status).toBe(412)
    expect(await read(expert, id)).toMatchObject({ is_chosen: 0 })
  })

  it('is refused to the former client of a case that has another one, who can still read the offers', async () => {
    const { office, expert, client, issueId, offer } = await offered()
    const former = await offer()
    await put(client, former, { is_chosen: 1 })
    const next = cases.client(office)
    await expert.put(`/issue/${issueId}`, { Issue: { user_client_id: String(next.userId) } })
    const present = await offer()
    expect((await put(cases.asClient(next), present, { is_chosen: 1 })).status).toBe(200)
    expect(await put(client, former, { is_chosen: 1 })).toMatchObject({ status: 404, body: { errorCode: 'NOT_FOUND' } })
    expect((await post(client, { issue_id: issueId, amount: 1 })).body).toMatchObject({ errorMessages: { issue_id: 'does not exist' } })
    expect([await read(client, former), await read(expert, present)]).toMatchObject([{ is_chosen: 0 }, { is_chosen: 1 }])
  })

  it('is possible in a case without a client', async () => {
    const { expert, client, issueId, offer } = await offered()
    const id = await offer()
    await expert.put(`/issue/${issueId}`, { Issue: { user_client_id: null } })
    expect((await put(client, id, { is_chosen: 1 })).status).toBe(200)
    expect(await read(expert, id)).toMatchObject({ is_chosen: 1 })
  })

  it('is sent on the live stream of the office', async () => {
    const { office, client, issueId, offer } = await offered()
    const id = await offer()
    const stream = await cases.stream(office.trainee, 'expert')
    await put(client, id, { is_chosen: 1 })
    const { data } = await stream.next(({ event }) => event === 'issue')
    expect(JSON.parse(data)).toMatchObject({ Issue: { id: String(issueId) } })
    await stream.close()
  })
})
