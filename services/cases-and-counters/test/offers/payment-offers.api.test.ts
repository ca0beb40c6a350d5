import { type LinkEvent, LinkState } from '@caseway/protos/auth/v1/events'
import { linkTopic } from '@caseway/protos/topics'
import { randomId } from '@caseway/testing'
import { holdTransaction, untilWaiting } from '@caseway/testing/held-transaction'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Cases, clientUrl, expertUrl, openIssue, startCases } from '../support/cases.js'
import { offersOf, post, put, read, terms } from '../support/offers.js'

let cases: Cases
beforeAll(async () => {
  cases = await startCases()
})
afterAll(() => cases.stop())

const { offered } = offersOf(() => cases)

describe('POST /rest/issue_payment_offer of an employee', () => {
  it('makes an offer to the client of the case, who need not be named', async () => {
    const { office, person, expert, client, issueId } = await offered()
    const { status, headers, body } = await post(expert, { issue_id: issueId, ...terms, is_recommended: 1, is_chosen: 1 })
    expect([status, headers.get('location')]).toEqual([201, `${expertUrl}/rest/issue_payment_offer/${body.id}`])
    const offer = {
      ...{ id: String(body.id), customer_id: String(office.customerId), user_client_id: String(person.userId), issue_id: String(issueId) },
      ...{ ...terms, is_recommended: 1, is_chosen: 0, created: expect.any(String), modified: expect.any(String) },
    }
    expect(await read(expert, body.id)).toEqual(offer)
    expect(await read(client, body.id)).toEqual(offer)
    for (const http of [expert, client]) expect(Object.keys(await read(http, body.id))).toEqual(Object.keys(offer))
    expect((await post(expert, { issue_id: String(issueId), user_client_id: String(person.userId), amount: 1200.5 })).status).toBe(201)
  })

  it('is refused for somebody else, and without a client', async () => {
    const { office, expert, issueId } = await offered()
    const other = cases.client(office)
    const stranger = cases.client(cases.office())
    const refusal = async (fields: object) => (await post(expert, { issue_id: issueId, ...terms, ...fields })).body
    expect(await refusal({ user_client_id: String(other.userId) })).toMatchObject({
      errorMessages: { user_client_id: 'is not the client of the case' },
    })
    expect(await refusal({ user_client_id: String(stranger.userId) })).toMatchObject({
      errorMessages: { user_client_id: 'does not exist' },
    })
    const nobodys = await openIssue(expert)
    expect(await refusal({ issue_id: nobodys })).toMatchObject({ errorMessages: { user_client_id: 'is required' } })
    const wrong = async (fields: object) => (await post(expert, fields)).body
    const amount = 'is required'
    expect(await wrong({ issue_id: nobodys })).toEqual({ status: 'error', errorMessages: { amount, user_client_id: 'is required' } })
    expect(await wrong({ issue_id: issueId, user_client_id: String(other.userId) })).toMatchObject({
      errorMessages: { amount, user_client_id: 'is not the client of the case' },
    })
    expect(await wrong({ issue_id: String(randomId()), user_client_id: String(stranger.userId) })).toMatchObject({
      errorMessages: { amount, issue_id: 'does not exist', user_client_id: 'does not exist' },
    })
    expect(await wrong({ issue_id: issueId })).toEqual({ status: 'error', errorMessages: { amount } })
    expect((await post(expert, { issue_id: nobodys, user_client_id: String(other.userId), ...terms })).status).toBe(201)
  })

  it('for a case without a client can be chosen by the named client, who sees nothing else of the case', async () => {
    const { office, expert } = await offered()
    const other = cases.client(office)
    const nobodys = await openIssue(expert)
    const { body } = await post(expert, { issue_id: nobodys, user_client_id: String(other.userId), ...terms })
    const client = cases.asClient(other)
    expect((await client.get(`/issue/${nobodys}`)).status).toBe(404)
    expect((await client.put(`/issue_payment_offer/${body.id}`, { IssuePaymentOffer: { is_chosen: 1 } })).status).toBe(200)
    expect(await read(expert, body.id)).toMatchObject({ is_chosen: 1 })
    const stranger = cases.asClient(cases.client(office))
    expect((await stranger.put(`/issue_payment_offer/${body.id}`, { IssuePaymentOffer: { is_chosen: 1 } })).status).toBe(404)
  })

  it.each([
    [{ amount: undefined }, 'amount'],
    [{ amount: '12,50' }, 'amount'],
    [{ amount: '1.005' }, 'amount'],
    [{ hourly_rate: 1.5 }, 'hourly_rate'],
    [{ work_time: -1 }, 'work_time'],
    [{ is_recommended: 2 }, 'is_recommended'],
    [{ issue_id: '' }, 'issue_id'],
  ])('names what is wrong in %j', async (fields, name) => {
    const { expert, issueId } = await offered()
    const { status, body } = await post(expert, { issue_id: issueId, ...terms, ...fields })
    expect([status, body]).toEqual([400, { status: 'error', errorMessages: { [name]: expect.any(String) } }])
  })

  it('refuses a case of another office like one that does not exist', async () => {
    const [ours, theirs] = [await offered(), await offered()]
    const foreign = await post(ours.expert, { issue_id: theirs.issueId, ...terms })
    const unknown = await post(ours.expert, { issue_id: String(randomId()), ...terms })
    expect(foreign.body).toEqual({ status: 'error', errorMessages: { issue_id: 'does not exist' } })
    expect([foreign.status, unknown.text]).toEqual([400, foreign.text])
  })

  it('is for administrators and experts', async () => {
    const { office, issueId } = await offered()
    for (const person of [office.specialist, office.trainee]) {
      expect((await post(cases.asExpert(person), { issue_id: issueId, ...terms })).status).toBe(403)
      expect((await cases.asExpert(person).get('/issue_payment_offer')).status).toBe(200)
    }
  })
})

describe('a client', () => {
  it('makes an offer for their own case, which is neither recommended nor chosen', async () => {
    const { person, expert, client, issueId } = await offered()
    const { status, headers, body } = await post(client, {
      issue_id: issueId,
      amount: '900',
      is_recommended: 1,
      is_chosen: 1,
      user_client_id: '1',
    })
    expect([status, headers.get('location')]).toEqual([201, `${clientUrl}/rest/issue_payment_offer/${body.id}`])
    expect(await read(expert, body.id)).toMatchObject({
      user_client_id: String(person.userId),
      amount: '900.00',
      is_recommended: 0,
      is_chosen: 0,
    })
  })

  it('is told of every wrong field, the case among them', async () => {
    const { client, issueId } = await offered()
    const errorMessages = { amount: 'is required', issue_id: 'does not exist' }
    expect((await post(client, { issue_id: String(randomId()) })).body).toEqual({ status: 'error', errorMessages })
    expect((await post(client, { issue_id: issueId })).body).toEqual({ status: 'error', errorMessages: { amount: 'is required' } })
  })

  it('sees and chooses only their own', async () => {
    const [mine, other] = [await offered(), await offered()]
    const theirs = await other.offer()
    await mine.offer()
    expect((await mine.client.get<unknown[]>('/issue_payment_offer')).body).toHaveLength(1)
    const foreign = await put(mine.client, theirs, { is_chosen: 1 })
    const unknown = await put(mine.client, Number(randomId()), { is_chosen: 1 })
    expect([foreign.status, foreign.text]).toEqual([404, unknown.text])
    expect((await post(mine.client, { issue_id: other.issueId, amount: 1 })).body).toMatchObject({
      errorMessages: { issue_id: 'does not exist' },
    })
    expect(await read(other.expert, theirs)).toMatchObject({ is_chosen: 0 })
  })

  it('changes nothing but the choice, and cannot undo it', async () => {
    const { expert, client, offer } = await offered()
    const id = await offer()
    expect((await put(client, id, { amount: '1.00', is_recommended: 1 })).status).toBe(200)
    expect(await read(expert, id)).toMatchObject({ amount: terms.amount, is_recommended: 0, is_chosen: 0 })
    await put(client, id, { is_chosen: 1 })
    expect((await put(client, id, { is_chosen: 0 })).body).toMatchObject({ errorMessages: { is_chosen: 'must be 1' } })
    expect(await read(expert, id)).toMatchObject({ is_chosen: 1 })
  })

  it('gets 404 if the case is deleted while they choose', async () => {
    const { client, issueId, offer } = await offered()
    const id = await offer()
    const deleting = await holdTransaction(cases.database, 'DELETE FROM issues WHERE id = $1', [issueId])
    const choosing = put(client, id, { is_chosen: 1 })
    await untilWaiting(cases.database, 1).finally(deleting.commit)
    expect((await choosing).body).toMatchObject({ errorCode: 'NOT_FOUND' })
  })

  it('can neither read nor write after the link has ended', async () => {
    const { client, person, issueId, offer } = await offered()
    const id = await offer()
    const held = cases.auth.links.find(({ clientId }) => clientId === person.userId) as LinkEvent
    await cases.publish(linkTopic, { ...held, state: LinkState.ENDED, revision: held.revision + 1n })
    expect((await put(client, id, { is_chosen: 1 })).body).toMatchObject({ errorCode: 'LINK_ENDED' })
    expect((await post(client, { issue_id: issueId, amount: 1 })).body).toMatchObject({ errorCode: 'LINK_ENDED' })
    expect((await client.get(`/issue_payment_offer/${id}`)).status).toBe(200)
  })
})

describe('PUT /rest/issue_payment_offer/{id} of an employee', () => {
  it('changes the fields that are sent, and undoes the choice if the terms change', async () => {
    const { expert, client, offer } = await offered()
    const id = await offer()
    await put(client, id, { is_chosen: 1 })
    expect((await put(expert, id, { is_recommended: 1, amount: '1200.5', is_chosen: 0, issue_id: '1', user_client_id: '1' })).body).toEqual(
      { status: 'OK' },
    )
    expect(await read(expert, id)).toMatchObject({ is_recommended: 1, is_chosen: 1 })
    await put(expert, id, { amount: '1300' })
    expect(await read(expert, id)).toMatchObject({ amount: '1300.00', hourly_rate: 150, is_chosen: 0 })
    await put(expert, id, { is_chosen: 1 })
    expect(await read(expert, id)).toMatchObject({ is_chosen: 0 })
  })

  it('gets the same 404 for another office’s offer as for an unknown id', async () => {
    const [ours, theirs] = [await offered(), await offered()]
    const foreign = await put(ours.expert, await theirs.offer(), { amount: '1' })
    expect([foreign.status, foreign.text]).toEqual([404, (await put(ours.expert, Number(randomId()), { amount: '1' })).text])
  })
})

it('offers are deleted with their case', async () => {
  const { expert, issueId, offer } = await offered()
  const id = await offer()
  await expert.delete(`/issue/${issueId}`)
  expect((await expert.get(`/issue_payment_offer/${id}`)).status).toBe(404)
})
