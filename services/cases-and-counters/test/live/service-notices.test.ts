import { IntegrationEvent, IntegrationState } from '@caseway/protos/partner/v1/events'
import { integrationTopic, mailboxTopic, sentMessageTopic, userTopic, webhookTopic } from '@caseway/protos/topics'
import { randomId, type TestTenant } from '@caseway/testing'
import { user } from '@caseway/testing/fake-auth'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { type Cases, startCases } from '../support/cases.js'

let cases: Cases
let office: TestTenant
beforeAll(async () => {
  cases = await startCases()
})
beforeEach(() => {
  office = cases.office()
})
afterAll(() => cases.stop())

const integration = (state: IntegrationState, revision = 2n, id = randomId()) =>
  IntegrationEvent.fromPartial({ id, customerId: office.customerId, userId: office.expert.userId, companyId: '501', state, revision })
const tell = (...events: IntegrationEvent[]) => cases.publish(integrationTopic, ...events)
const notificationsOf = async (person: TestTenant['expert']) =>
  (await cases.asExpert(person).get<{ Notification: object }[]>('/notification')).body.map(({ Notification }) => Notification)

it('a broken integration notifies only the person who connected it', async () => {
  await tell(integration(IntegrationState.BROKEN))
  expect(await notificationsOf(office.expert)).toEqual([
    expect.objectContaining({ type: 'integration_error', status: 'new', issue_id: null, from_user_id: null }),
  ])
  expect(await notificationsOf(office.administrator)).toEqual([])
})

it('an event that is delivered twice notifies once, and one of another integration notifies again', async () => {
  const broken = integration(IntegrationState.BROKEN)
  await tell(broken, broken)
  await tell(broken)
  await tell(integration(IntegrationState.BROKEN))
  expect(await notificationsOf(office.expert)).toHaveLength(2)
})

it('an event that is delivered after a later one still notifies', async () => {
  const id = randomId()
  await tell(integration(IntegrationState.DELETED, 3n, id), integration(IntegrationState.BROKEN, 2n, id))
  expect(await notificationsOf(office.expert)).toHaveLength(1)
})

it.each([IntegrationState.PENDING, IntegrationState.ACTIVE, IntegrationState.DELETED])('state %i notifies nobody', async (state) => {
  await tell(integration(state))
  expect(await notificationsOf(office.expert)).toEqual([])
})

const switchedOff = () => {
  const event = { id: randomId(), customerId: office.customerId, userId: office.expert.userId, host: 'hooks.example', revision: 3n }
  return cases.publish(webhookTopic, event, event)
}

it('a disabled webhook notifies the person who set it up, once', async () => {
  await switchedOff()
  expect(await notificationsOf(office.expert)).toEqual([expect.objectContaining({ type: 'webhook_disabled', issue_id: null })])
  expect(await notificationsOf(office.administrator)).toEqual([])
})

describe('after the person who set it up has left,', () => {
  const left = async () => {
    const { customerId, administrator, expert, specialist, trainee } = office
    const people = [administrator, expert, specialist, trainee].map(({ userId: id }) => user({ id, customerId }))
    await cases.publish(userTopic, ...people, user({ id: randomId(), customerId: randomId() }))
    const gone = user({ id: expert.userId, customerId, active: false, revision: 2n })
    cases.auth.users.splice(0, cases.auth.users.length, ...cases.auth.users.filter(({ id }) => id !== gone.id), gone)
    await cases.publish(userTopic, gone)
  }
  const types = async (person: TestTenant['expert']) => (await notificationsOf(person)).map((one) => (one as { type: string }).type)

  it.each([
    ['a broken integration', 'integration_error', () => tell(integration(IntegrationState.BROKEN))],
    ['a webhook that was switched off', 'webhook_disabled', () => switchedOff()],
  ])('%s notifies those who work there and manage it', async (_, type, happens) => {
    await left()
    await happens()
    expect(await types(office.administrator)).toEqual([type])
    for (const person of [office.expert, office.specialist, office.trainee]) expect(await types(person)).toEqual([])
  })
})

it('a stopped mailbox notifies its owner, once each time', async () => {
  const event = { id: randomId(), customerId: office.customerId, userId: office.expert.userId, revision: 3n }
  await cases.publish(mailboxTopic, event, event)
  expect(await notificationsOf(office.expert)).toEqual([
    expect.objectContaining({ type: 'mail_error', status: 'new', issue_id: null, from_user_id: null }),
  ])
  expect(await notificationsOf(office.administrator)).toEqual([])
  await cases.publish(mailboxTopic, { ...event, revision: 7n })
  expect(await notificationsOf(office.expert)).toHaveLength(2)
})

it('an unsent message notifies its author, once each time, independently of a mailbox with the same id', async () => {
  const event = { id: randomId(), customerId: office.customerId, userId: office.expert.userId, revision: 3n }
  await cases.publish(sentMessageTopic, event, event)
  await cases.publish(mailboxTopic, event)
  expect(await notificationsOf(office.expert)).toEqual(Array(2).fill(expect.objectContaining({ type: 'mail_error', status: 'new' })))
  expect(await notificationsOf(office.administrator)).toEqual([])
  await cases.publish(sentMessageTopic, { ...event, revision: 7n })
  expect(await notificationsOf(office.expert)).toHaveLength(3)
})
