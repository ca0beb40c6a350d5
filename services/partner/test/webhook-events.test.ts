import { CustomerEvent, GroupEvent, LinkEvent, LinkState, UserEvent } from '@caseway/protos/auth/v1/events'
import { ContactEvent, ContactKind, IssueEvent, SentenceSentEvent } from '@caseway/protos/cases_and_counters/v1/events'
import { CardEvent } from '@caseway/protos/company_card/v1/events'
import { FileEvent } from '@caseway/protos/files/v1/events'
import { IntegrationEvent, IntegrationState } from '@caseway/protos/partner/v1/events'
import { AnswerEvent } from '@caseway/protos/polls_and_widgets/v1/events'
import type { Topic } from '@caseway/protos/topic'
import {
  answerTopic,
  cardTopic,
  contactTopic,
  customerTopic,
  fileTopic,
  groupTopic,
  integrationTopic,
  issueTopic,
  linkTopic,
  sentenceTopic,
  userTopic,
} from '@caseway/protos/topics'
import { randomId, type TestTenant } from '@caseway/testing'
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals'
import { eventTypes } from '../src/webhook-events/event-type.js'
import { deliveriesOf, newWebhook, startWebhooks, type Webhooks } from './support/webhooks.js'

let webhooks: Webhooks
let office: TestTenant
beforeAll(async () => {
  webhooks = await startWebhooks()
})
afterAll(() => webhooks.stop())
beforeEach(() => {
  office = webhooks.office()
})

const id = randomId()
const publish = <T>(topic: Topic<T>, event: T) => webhooks.publish(topic, event)
const of = (fields: object = {}) => ({ id, customerId: office.customerId, ...fields })

const kind = ContactKind.PROVIDER_PERSON

const eventsByType: Record<string, () => Promise<void>> = {
  'issue.created': () => publish(issueTopic, IssueEvent.fromPartial({ ...of(), issueId: id, change: { $case: 'opened', value: {} } })),
  'issue.updated': () => publish(issueTopic, IssueEvent.fromPartial({ ...of(), issueId: id, change: { $case: 'closed', value: {} } })),
  'issue.deleted': () => publish(issueTopic, IssueEvent.fromPartial({ ...of(), issueId: id, change: { $case: 'deleted', value: {} } })),
  'issue_sentence.sent': () => publish(sentenceTopic, SentenceSentEvent.fromPartial({ ...of(), sentenceId: id })),
  'provider_person.created': () => publish(contactTopic, ContactEvent.fromPartial(of({ kind, revision: 1n }))),
  'provider_person.updated': () => publish(contactTopic, ContactEvent.fromPartial(of({ kind, revision: 2n }))),
  'provider_person.deleted': () => publish(contactTopic, ContactEvent.fromPartial(of({ kind, revision: 3n, deleted: true }))),
  'user.created': () => publish(userTopic, UserEvent.fromPartial(of({ revision: 1n }))),
  'user.updated': () => publish(userTopic, UserEvent.fromPartial(of({ revision: 2n }))),
  'client.created': () => publish(linkTopic, LinkEvent.fromPartial({ ...of({ revision: 1n }), id: randomId(), clientId: id })),
  'client.updated': () => publish(linkTopic, LinkEvent.fromPartial({ ...of({ revision: 2n }), id: randomId(), clientId: id })),
  'client.deleted': () => publish(linkTopic, LinkEvent.fromPartial({ ...of({ revision: 2n }), clientId: id, state: LinkState.ENDED })),
  'group.created': () => publish(groupTopic, GroupEvent.fromPartial(of({ revision: 1n }))),
  'group.updated': () => publish(groupTopic, GroupEvent.fromPartial(of({ revision: 2n }))),
  'group.deleted': () => publish(groupTopic, GroupEvent.fromPartial(of({ revision: 3n, deleted: true }))),
  'customer.updated': () =>
    publish(customerTopic, CustomerEvent.fromPartial({ id: office.customerId, timeZone: 'Europe/Rome', revision: 2n })),
  'common_file.created': () => publish(fileTopic, FileEvent.fromPartial(of({ revision: 1n }))),
  'common_file.updated': () => publish(fileTopic, FileEvent.fromPartial(of({ revision: 2n }))),
  'common_file.deleted': () => publish(fileTopic, FileEvent.fromPartial(of({ revision: 3n, deleted: true }))),
  'company_card.published': () => publish(cardTopic, CardEvent.fromPartial(of())),
  'poll_answer.created': () => publish(answerTopic, AnswerEvent.fromPartial(of())),
  'partner_oauth2.created': () => publish(integrationTopic, IntegrationEvent.fromPartial(of({ revision: 1n }))),
  'partner_oauth2.updated': () =>
    publish(integrationTopic, IntegrationEvent.fromPartial(of({ revision: 2n, state: IntegrationState.ACTIVE }))),
  'partner_oauth2.deleted': () =>
    publish(integrationTopic, IntegrationEvent.fromPartial(of({ revision: 3n, state: IntegrationState.DELETED }))),
}

it('every type of event is sent', () => {
  expect(Object.keys(eventsByType).sort()).toEqual(eventTypes.map(({ type }) => type).sort())
})

/** Publishes that the client was erased, which also ends the link with the office. */
const erased = () => publish(linkTopic, LinkEvent.fromPartial({ ...of({ revision: 3n }), clientId: id, state: LinkState.ERASED }))

const resumed = () =>
  publish(linkTopic, LinkEvent.fromPartial({ ...of({ revision: 4n }), clientId: id, state: LinkState.INVITED, resumed: true }))

it.each([...Object.entries(eventsByType), ['client.deleted', erased] as const, ['client.created', resumed] as const])(
  '%s',
  async (type, publishEvent) => {
    const http = webhooks.asExpert(office.expert)
    const { url } = webhooks.receivers[0] ?? { url: '' }
    const { id: subscribed } = await newWebhook(http, { url, events: [type] })
    await newWebhook(http, { url, events: eventTypes.map((one) => one.type).filter((other) => other !== type) })
    await publishEvent()
    const subject = `${type.split('.')[0]}:${type === 'customer.updated' ? office.customerId : id}`
    expect(await deliveriesOf(http)).toMatchObject([{ webhook_id: String(subscribed), event_type: type, subject }])
  },
)

it('a client whose link has ended is not sent as deleted once more when they are erased', async () => {
  const http = webhooks.asExpert(office.expert)
  const { url } = webhooks.receivers[0] ?? { url: '' }
  await newWebhook(http, { url, events: ['client.created', 'client.updated', 'client.deleted'] })
  const link = LinkEvent.fromPartial({ ...of(), clientId: id })
  await webhooks.deliverBatch(linkTopic, [
    { ...link, revision: 2n, state: LinkState.ENDED },
    { ...link, revision: 3n, state: LinkState.ERASED, alreadyEnded: true },
  ])
  expect(await deliveriesOf(http)).toMatchObject([{ event_type: 'client.deleted', subject: `client:${id}` }])
})

it('events of a batch are sent to the subscribed webhooks of their offices, and to no others', async () => {
  const { url } = webhooks.receivers[0] ?? { url: '' }
  const subscribed = ['group.created', 'group.updated', 'user.created']
  const offices = subscribed.map(() => webhooks.office())
  const made = await Promise.all(
    offices.map(({ expert }, at) => newWebhook(webhooks.asExpert(expert), { url, events: [subscribed[at] ?? ''] })),
  )
  await Promise.all(
    offices.flatMap(({ customerId }) => [
      publish(groupTopic, GroupEvent.fromPartial({ id: randomId(), customerId, revision: 1n })),
      publish(groupTopic, GroupEvent.fromPartial({ id: randomId(), customerId, revision: 2n })),
      publish(userTopic, UserEvent.fromPartial({ id: randomId(), customerId, revision: 1n })),
    ]),
  )
  for (const [at, { expert }] of offices.entries()) {
    expect(await deliveriesOf(webhooks.asExpert(expert))).toMatchObject([{ webhook_id: String(made[at]?.id), event_type: subscribed[at] }])
  }
})

it('events of a batch are sent to the right webhooks, and those without a type are skipped', async () => {
  const http = webhooks.asExpert(office.expert)
  const { url } = webhooks.receivers[0] ?? { url: '' }
  const { id: subscribed } = await newWebhook(http, { url, events: ['provider_person.updated', 'provider_person.deleted'] })
  const contact = (fields: object) => ContactEvent.fromPartial({ id: randomId(), customerId: office.customerId, kind, ...fields })
  const updated = contact({ revision: 2n })
  await webhooks.deliverBatch(contactTopic, [
    contact({ revision: 1n }),
    contact({ kind: ContactKind.UNSPECIFIED, revision: 2n }),
    updated,
    contact({ customerId: randomId(), revision: 2n }),
    { ...updated, revision: 3n, deleted: true },
  ])
  const subject = `provider_person:${updated.id}`
  expect(await deliveriesOf(http)).toMatchObject([
    { webhook_id: String(subscribed), event_type: 'provider_person.updated', subject },
    { webhook_id: String(subscribed), event_type: 'provider_person.deleted', subject },
  ])
})
