import { LinkState } from '@caseway/protos/auth/v1/events'
import { linkTopic, userTopic } from '@caseway/protos/topics'
import { type HttpClient, randomId } from '@caseway/testing'
import { link, user } from '@caseway/testing/fake-auth'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Cases, startCases } from '../support/cases.js'

let cases: Cases
beforeAll(async () => {
  cases = await startCases()
})
afterAll(() => cases.stop())

type Fields = Record<string, string | null>

/** An office with records that name a trainee and a client; `leave` ends the work of the one and the link of the other. */
async function office() {
  const { customerId, expert, trainee } = cases.office()
  const clientId = randomId()
  const linked = link({ customerId, clientId })
  await cases.publish(linkTopic, linked)
  const leave = async () => {
    const left = user({ id: trainee.userId, customerId, active: false, revision: 2n })
    cases.auth.users.splice(0, cases.auth.users.length, ...cases.auth.users.filter(({ id }) => id !== left.id), left)
    await cases.publish(userTopic, left)
    await cases.publish(linkTopic, { ...linked, state: LinkState.ENDED, revision: 2n })
  }
  return { http: cases.asExpert(expert), traineeId: String(trainee.userId), clientId: String(clientId), leave }
}

const records = (http: HttpClient, path: string, wrapper: string) => ({
  open: async (fields: object) => (await http.post<{ id: number }>(path, { [wrapper]: fields })).body.id,
  read: async (id: number) => (await http.get<Record<string, Fields>>(`${path}/${id}`)).body[wrapper] as Fields,
  put: (id: number, fields: object) => http.put(`${path}/${id}`, { [wrapper]: fields }),
})

describe('what is sent back as it was read may name people who have left since', () => {
  it('a case', async () => {
    const { http, traineeId, clientId, leave } = await office()
    const cases = records(http, '/issue', 'Issue')
    const id = await cases.open({ subject: 'A question', user_id: traineeId, user_client_id: clientId })
    await cases.put(id, { delegated_user_id: traineeId })
    await leave()
    const before = await cases.read(id)
    expect((await cases.put(id, { ...before, status: 'open', subject: 'An answer' })).status).toBe(200)
    const named = { user_id: traineeId, delegated_user_id: traineeId, user_client_id: clientId }
    expect(await cases.read(id)).toMatchObject({ ...named, status: 'open', subject: 'An answer' })
    expect((await cases.put(id, { ...before, subject: '' })).body).toEqual({ status: 'error', errorMessages: { subject: 'is required' } })
  })

  it('a tag', async () => {
    const { http, traineeId, leave } = await office()
    const tags = records(http, '/tag', 'Tag')
    const id = await tags.open({ name: 'Urgent', user_id: traineeId })
    await leave()
    const before = await tags.read(id)
    expect((await tags.put(id, { ...before, name: 'Later' })).status).toBe(200)
    expect(await tags.read(id)).toMatchObject({ user_id: traineeId, name: 'Later' })
    expect((await tags.put(id, { ...before, name: '' })).body).toEqual({ status: 'error', errorMessages: { name: 'is required' } })
  })

  it('a business card', async () => {
    const { http, clientId, leave } = await office()
    const cards = records(http, '/issue_initiator', 'IssueInitiator')
    const id = await cards.open({ first_name: 'Ewa', last_name: 'Lis', user_client_id: clientId })
    await leave()
    const before = await cards.read(id)
    expect((await cards.put(id, { ...before, phone: '+48 22 555' })).status).toBe(200)
    expect(await cards.read(id)).toMatchObject({ user_client_id: clientId, phone: '+48 22 555' })
    const wrong = await cards.put(id, { ...before, last_name: '' })
    expect(wrong.body).toEqual({ status: 'error', errorMessages: { last_name: 'is required' } })
  })
})

it('nobody who has left is named anew', async () => {
  const { http, traineeId, clientId, leave } = await office()
  const cases = records(http, '/issue', 'Issue')
  const [theirs, other] = [await cases.open({ subject: 'A', user_id: traineeId }), await cases.open({ subject: 'B' })]
  await leave()
  const refused = { status: 'error', errorMessages: { user_id: 'does not exist' } }
  expect((await cases.put(other, { user_id: traineeId })).body).toEqual(refused)
  expect((await cases.put(theirs, { user_id: traineeId, user_client_id: clientId, delegated_user_id: traineeId })).body).toEqual({
    status: 'error',
    errorMessages: { user_client_id: 'does not exist', delegated_user_id: 'does not exist' },
  })
  expect((await cases.put(Number(randomId()), { user_id: traineeId })).status).toBe(404)
})
