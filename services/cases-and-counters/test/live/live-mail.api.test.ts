import { randomUUID } from 'node:crypto'
import type { Id } from '@caseway/kit/caller'
import { messageTopic } from '@caseway/protos/topics'
import { type EventStream, randomId, type TestTenant } from '@caseway/testing'
import { publishEvents } from '@caseway/testing/publish'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { maxMail, maxMailBytes } from '../../src/feed/changed-mail.js'
import { type Cases, openIssue, startCases } from '../support/cases.js'
import { next, openStreams } from '../support/streams.js'

let cases: Cases
const { connect, closeAll } = openStreams(() => cases)
beforeAll(async () => {
  cases = await startCases()
})
afterEach(async () => {
  cases.mail.away = false
  await closeAll()
})
afterAll(() => cases.stop())

const received = (id: Id, fields: object = {}) => ({ MailReceivedMysqlMessage: { id: String(id), ...fields } })
const sent = (id: Id, status: number) => ({ MailSentMysqlMessage: { id: String(id), status: String(status) }, MailSentRecipient: [] })
const changed = (customerId: Id, fields: { userId?: Id; receivedIds?: Id[]; sentIds?: Id[] }) =>
  cases.publish(messageTopic, { customerId, userId: 0n, receivedIds: [], sentIds: [], ...fields })
const lastIdOf = ({ events }: EventStream) => events.findLast(({ id }) => id !== undefined)?.id ?? ''
const mailOf = ({ events }: EventStream) => events.filter(({ event }) => event === 'mail').map(({ data }) => JSON.parse(data))

/** Waits until the streams have delivered everything that was published before. */
async function settle(office: TestTenant, ...streams: EventStream[]) {
  const last = await openIssue(cases.asExpert(office.expert))
  for (const stream of streams) {
    await next(stream, 'issue', ({ Issue }) => Issue.id === String(last))
    // The counter of that case is the last event of a delivery.
    await next(stream, 'counter', ({ Counter }) => JSON.stringify(Counter.Issue).includes('"unassigned":1'))
  }
}

describe('mail on a stream', () => {
  it('is sent as mail shows it, to those to whom mail shows it', async () => {
    const [office, there] = [cases.office(), cases.office()]
    const { customerId, expert, specialist, trainee } = office
    const client = cases.client(office)
    const [owner, colleague, third, foreign] = await Promise.all(
      [expert, specialist, trainee, there.expert].map((person) => connect(person)),
    )
    const streams = [owner, colleague, third, foreign] as EventStream[]
    for (const stream of streams) await next(stream, 'counter')
    const clients = await connect(client, 'client')
    const [own, common] = [randomId(), randomId()]
    cases.mail.show('received', own, received(own, { mail_subject: 'Own' }), expert.userId)
    cases.mail.show('received', common, received(common, { mail_subject: 'Common' }), expert.userId, specialist.userId)
    await changed(customerId, { receivedIds: [own, common] })
    await settle(office, ...streams.slice(0, 3))
    await settle(there, foreign as EventStream)
    const id = await openIssue(cases.asExpert(expert), { user_client_id: String(client.userId) })
    await next(clients, 'issue', ({ Issue }) => Issue.id === String(id))
    expect(streams.map(mailOf)).toEqual([
      [received(own, { mail_subject: 'Own' }), received(common, { mail_subject: 'Common' })],
      [received(common, { mail_subject: 'Common' })],
      [],
      [],
    ])
    expect(mailOf(clients)).toEqual([])
  })

  it('of one person is not requested for others', async () => {
    const office = cases.office()
    const { customerId, expert, specialist } = office
    const [owner, colleague] = [await connect(expert), await connect(specialist)]
    const id = randomId()
    cases.mail.show('sent', id, sent(id, 0), expert.userId, specialist.userId)
    await changed(customerId, { userId: expert.userId, sentIds: [id] })
    expect(await next(owner, 'mail')).toEqual(sent(id, 0))
    await settle(office, colleague)
    expect(mailOf(colleague)).toEqual([])
  })

  it('shows the states of a sent message in order', async () => {
    const { customerId, expert } = cases.office()
    const stream = await connect(expert)
    const id = randomId()
    const states = [4, 0, 1, 2]
    for (const status of states) {
      cases.mail.show('sent', id, sent(id, status), expert.userId)
      await changed(customerId, { userId: expert.userId, sentIds: [id] })
      await next(stream, 'mail', (data) => JSON.stringify(data) === JSON.stringify(sent(id, status)))
    }
    expect(mailOf(stream)).toEqual(states.map((status) => sent(id, status)))
    // Mail changes no counters: these have events of their own.
    expect(stream.events.filter(({ event }) => event === 'counter')).toHaveLength(1)
  })

  it('is sent once, however often its event is delivered', async () => {
    const office = cases.office()
    const { customerId, expert } = office
    const stream = await connect(expert)
    const id = randomId()
    cases.mail.show('received', id, received(id), expert.userId)
    const event = { customerId, userId: expert.userId, receivedIds: [id], sentIds: [] }
    const once = { id: randomUUID() }
    await publishEvents(cases.transport, messageTopic, [event], once)
    expect(await next(stream, 'mail')).toEqual(received(id))
    await publishEvents(cases.transport, messageTopic, [event], once)
    await settle(office, stream)
    expect(mailOf(stream)).toEqual([received(id)])
  })
})

describe('missed mail', () => {
  it('is sent on resuming, in its present state', async () => {
    const { customerId, expert } = cases.office()
    const first = await connect(expert)
    await next(first, 'counter')
    await first.close()
    const ids = [randomId(), randomId()]
    for (const id of ids) cases.mail.show('received', id, received(id, { is_read: '1' }), expert.userId)
    for (const id of [...ids, ...ids]) await changed(customerId, { receivedIds: [id] })
    const again = await connect(expert, 'expert', { lastEventId: lastIdOf(first) })
    for (const id of ids) expect(await next(again, 'mail')).toEqual(received(id, { is_read: '1' }))
    expect(again.events).toHaveLength(2)
  })

  it.each([
    ['is more than a stream holds', () => ({ count: maxMail + 1, text: '' })],
    ['is larger than a stream holds', () => ({ count: 2, text: 'x'.repeat(maxMailBytes / 2) })],
  ])('and %s is a reset', async (_, make) => {
    const { count, text } = make()
    const { customerId, expert } = cases.office()
    const stream = await connect(expert)
    await next(stream, 'counter')
    const receivedIds = Array.from({ length: count }, randomId)
    for (const id of receivedIds) cases.mail.show('received', id, received(id, { text }), expert.userId)
    await changed(customerId, { receivedIds })
    await next(stream, 'reset')
    expect(mailOf(stream)).toEqual([])
  })

  it('causes a reset while mail does not answer, without delaying other events', async () => {
    const office = cases.office()
    const stream = await connect(office.expert)
    await next(stream, 'counter')
    cases.mail.away = true
    await changed(office.customerId, { receivedIds: [randomId()] })
    await next(stream, 'reset')
    await settle(office, stream)
  })
})
