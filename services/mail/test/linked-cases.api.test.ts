import type { Id } from '@caseway/kit/caller'
import { office } from '@caseway/kit/database'
import type { IsPartyRequest } from '@caseway/protos/cases_and_counters/v1/contacts'
import { IssueEvent } from '@caseway/protos/cases_and_counters/v1/events'
import { issueTopic, messageTopic } from '@caseway/protos/topics'
import { grpcAddressVariable } from '@caseway/registry'
import { eventually, randomId, type TestTenant } from '@caseway/testing'
import { type FakeObjects, fakeObjects, object } from '@caseway/testing/fake-objects'
import { type TestService, testService } from '@caseway/testing/service'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { mail } from '../src/wiring.js'
import { newMailbox, officeWithMail, type Receiver, receiver, storeOne, type TestMailbox, testMessageIds } from './support/mailbox.js'

let owner: FakeObjects
let service: TestService
let engine: Receiver
beforeAll(async () => {
  owner = await fakeObjects()
  const variables = { MAIL_ROLES: 'http', [grpcAddressVariable('cases-and-counters')]: owner.address }
  service = await testService(mail, { variables })
  engine = receiver(service.database)
})
afterAll(async () => {
  await engine.db.close()
  await service.stop()
  await owner.stop()
})

let here: TestTenant
let box: TestMailbox
let asked: Pick<IsPartyRequest, 'customerId' | 'issueId' | 'address' | 'clientId'>[]
beforeEach(async () => {
  here = officeWithMail(service)
  box = await newMailbox(engine, here, here.expert.userId)
  asked = []
  owner.onQuestion = async () => undefined
  owner.isParty = (question) => {
    asked.push(question)
    return question.address === 'party@client.example'
  }
})

const path = '/mail_received_mysql_message'
const expert = () => service.asExpert(here.expert)
const newCase = (customerId = here.customerId) => {
  const issue = object({ customerId })
  owner.objects.push(issue)
  return issue.id
}
const put = (id: Id, issue_id: unknown, http = expert()) =>
  http.put(`${path}/${id}`, { MailReceivedMysqlMessage: { issue_id: issue_id === null ? null : String(issue_id) } })
const caseOf = async (id: Id) =>
  (await expert().get<{ MailReceivedMysqlMessage: { issue_id: string | null } }>(`${path}/${id}`)).body.MailReceivedMysqlMessage.issue_id
const caseless = { status: 'error', errorMessages: { issue_id: 'does not exist' } }
const done = { status: 'OK' }

/** When the jobs have looked at all that has arrived. */
const settled = () =>
  eventually(async () =>
    expect(
      await service.database.rows(`SELECT FROM kit.job WHERE name IN ('case-link', 'case-check') AND state NOT IN ('done', 'failed')`),
    ).toEqual([]),
  )

describe('PUT issue_id', () => {
  it('puts messages into a case and takes them out, and lists those of one', async () => {
    const [a, b, other] = [
      await storeOne(engine, box, 'CLIENTS'),
      await storeOne(engine, box, 'OTHERS'),
      await storeOne(engine, box, 'CLIENTS'),
    ]
    const [first, second] = [newCase(), newCase()]
    expect((await put(a, first)).body).toEqual(done)
    const some = { MailReceivedMysqlMessage: { ids: [Number(b), Number(other)], issue_id: String(second) } }
    expect((await expert().put(path, some)).body).toEqual(done)
    expect([await caseOf(a), await caseOf(b), await caseOf(other)]).toEqual([String(first), String(second), String(second)])
    const ids = async (query: string) =>
      (await expert().get<{ MailReceivedMysqlMessage: { id: string } }[]>(path + query)).body.map(
        ({ MailReceivedMysqlMessage: { id } }) => id,
      )
    expect(await ids(`?issue_id=${second}&sort=id`)).toEqual([String(b), String(other)])
    expect(await ids(`?issue_id=${second}&folder_name=CLIENTS`)).toEqual([String(other)])
    expect((await put(b, null)).body).toEqual(done)
    expect(await caseOf(b)).toBeNull()
    expect(await ids(`?issue_id=${second}`)).toEqual([String(other)])
    await settled()
    expect(await caseOf(a)).toBe(String(first))
    const { body } = await expert().get<{ MailTrace: unknown[] }>(`${path}/${b}/trace`)
    const by = { by: 'user', user: String(here.expert.userId) }
    expect(body.MailTrace.slice(1)).toMatchObject([
      { kind: 'linked', reason: { ...by, issue_id: String(second) } },
      { kind: 'linked', reason: { ...by, issue_id: null } },
    ])
  })

  it('is 400 for a case that the office does not have, and nothing is written', async () => {
    const id = await storeOne(engine, box, 'CLIENTS')
    for (const unknown of [randomId(), newCase(officeWithMail(service).customerId)]) {
      const { status, body } = await put(id, unknown)
      expect([status, body]).toEqual([400, caseless])
      const some = await expert().put(path, { MailReceivedMysqlMessage: { ids: [Number(id)], issue_id: String(unknown), is_read: '1' } })
      expect([some.status, some.body]).toEqual([400, caseless])
    }
    expect(await caseOf(id)).toBeNull()
  })

  it('is 404 for a message that the caller does not see, whatever the case', async () => {
    const id = await storeOne(engine, box, 'OTHERS')
    for (const issue of [newCase(), randomId()]) expect((await put(id, issue, service.asExpert(here.specialist))).status).toBe(404)
  })

  it('is 503 while the owner of the cases does not answer, and other changes go on', async () => {
    const id = await storeOne(engine, box, 'CLIENTS')
    const issue = newCase()
    owner.onQuestion = () => new Promise(() => undefined)
    expect((await put(id, issue)).status).toBe(503)
    expect((await expert().put(`${path}/${id}`, { MailReceivedMysqlMessage: { is_read: '1' } })).status).toBe(200)
    expect(await caseOf(id)).toBeNull()
  })
})

describe('what comes into the conversation of a case', () => {
  const from = (address: string) => ({ address, name: '' })
  const reply = (fields: object = {}) => ({ from: from('party@client.example'), inReplyTo: 'first@x', ...fields })

  it('belongs to the case when a party of it has sent it', async () => {
    const issue = newCase()
    await put(await storeOne(engine, box, 'CLIENTS', { messageId: 'first@x' }), issue)
    const replies = [
      await storeOne(engine, box, 'CLIENTS', reply()),
      await storeOne(engine, box, 'OTHERS', reply({ inReplyTo: null, references: ['first@x'] })),
    ]
    await eventually(async () => expect(await Promise.all(replies.map(caseOf))).toEqual([String(issue), String(issue)]))
    expect(asked).toContainEqual({ customerId: here.customerId, issueId: issue, address: 'party@client.example', clientId: undefined })
    const told = (await service.published(messageTopic)).filter(({ event: { receivedIds } }) => receivedIds.includes(replies[0] as Id))
    expect(told).toHaveLength(2)
    const { body } = await expert().get<{ MailTrace: unknown[] }>(`${path}/${replies[0]}/trace`)
    expect(body.MailTrace.at(-1)).toMatchObject({ kind: 'linked', reason: { by: 'thread', issue_id: String(issue) } })
  })

  it('does not when somebody else has sent it, nor in another conversation, nor from a folder of junk', async () => {
    await put(await storeOne(engine, box, 'CLIENTS', { messageId: 'first@x' }), newCase())
    const others = [
      await storeOne(engine, box, 'CLIENTS', reply({ from: from('stranger@elsewhere.example') })),
      await storeOne(engine, box, 'CLIENTS', reply({ inReplyTo: 'another@x' })),
      await storeOne(engine, box, 'OTHERS', reply({ specialUse: 'junk' })),
      await storeOne(engine, box, 'DRAFTS', reply({ specialUse: 'drafts' })),
      await storeOne(engine, await newMailbox(engine, here, here.expert.userId), 'CLIENTS', reply()),
    ]
    await settled()
    expect(await Promise.all(others.map(caseOf))).toEqual([null, null, null, null, null])
    expect(asked.map(({ address }) => address)).toEqual(['stranger@elsewhere.example'])
  })

  it('does when the owner of the mailbox has sent it', async () => {
    const issue = newCase()
    await put(await storeOne(engine, box, 'CLIENTS', { messageId: 'first@x' }), issue)
    const sent = await storeOne(engine, box, 'SENT', reply({ from: from(box.address), specialUse: 'sent' }))
    await eventually(async () => expect(await caseOf(sent)).toBe(String(issue)))
    expect(asked).toEqual([])
  })

  it('waits while the owner of the cases does not answer', async () => {
    const issue = newCase()
    await put(await storeOne(engine, box, 'CLIENTS', { messageId: 'first@x' }), issue)
    owner.onQuestion = () => new Promise(() => undefined)
    const id = await storeOne(engine, box, 'CLIENTS', reply())
    await eventually(async () =>
      expect(await service.database.rows(`SELECT FROM kit.job WHERE name = 'case-link' AND delays > 0`)).toHaveLength(1),
    )
    expect(await caseOf(id)).toBeNull()
    owner.onQuestion = async () => undefined
    await eventually(async () => expect(await caseOf(id)).toBe(String(issue)))
  })

  it('does no more when the message that was in the case is taken out of it', async () => {
    const [first, issue] = [await storeOne(engine, box, 'CLIENTS', { messageId: 'first@x' }), newCase()]
    const second = await storeOne(engine, box, 'CLIENTS', reply({ messageId: 'second@x' }))
    await put(first, issue)
    // It was in none, and says nothing of the conversation.
    await put(second, null)
    const third = await storeOne(engine, box, 'CLIENTS', reply())
    await eventually(async () => expect(await caseOf(third)).toBe(String(issue)))
    await put(first, null)
    const last = await storeOne(engine, box, 'CLIENTS', reply())
    await settled()
    expect(await caseOf(last)).toBeNull()
  })
})

describe('what answers a message that was sent from a case', () => {
  const from = { address: 'party@client.example', name: '' }

  /** A message that was sent, and belongs to a case. */
  const sent = async (issueId: Id | null, messageId = testMessageIds.make(here.customerId, 'anna@office.example')) => {
    const { customerId, expert } = here
    const data = {
      customerId,
      userId: expert.userId,
      mailServerId: 1n,
      status: 2,
      folderName: 'SENT',
      msgUniqueIdentifier: messageId,
      issueId,
    }
    await engine.db.write(office(customerId), (tx) => tx.mailSentMessage.create({ data }))
    return messageId
  }
  const store = (fields: object, to = box) => storeOne(engine, to, 'CLIENTS', { from, ...fields })

  it('belongs to the case, in whatever mailbox of the office it arrives', async () => {
    const issue = newCase()
    const messageId = await sent(issue)
    const another = await newMailbox(engine, here, here.expert.userId)
    const answers = [await store({ inReplyTo: messageId }), await store({ references: ['x@y', messageId] }, another)]
    await eventually(async () => expect(await Promise.all(answers.map(caseOf))).toEqual([String(issue), String(issue)]))
    const next = await store({ inReplyTo: 'x@y' }, another)
    await eventually(async () => expect(await caseOf(next)).toBe(String(issue)))
  })

  it('does not where the Message-ID is forged, is of a message in no case, or somebody else has sent it', async () => {
    const issue = newCase()
    const messageId = await sent(issue)
    const forged = await sent(issue, `${'x'.repeat(22)}.${'y'.repeat(16)}@office.example`)
    const ofOthers = await sent(issue, testMessageIds.make(here.customerId + 1n, 'anna@office.example'))
    const others = [
      await store({ inReplyTo: forged }),
      await store({ inReplyTo: ofOthers }),
      await store({ inReplyTo: await sent(null) }),
      await store({ inReplyTo: messageId, from: { address: 'stranger@elsewhere.example', name: '' } }),
    ]
    const there = officeWithMail(service)
    await store({ inReplyTo: messageId }, await newMailbox(engine, there, there.expert.userId))
    await settled()
    expect(await Promise.all(others.map(caseOf))).toEqual([null, null, null, null])
    expect(asked.map(({ address }) => address)).toEqual(['stranger@elsewhere.example'])
  })

  it('stays in the case that its conversation belongs to already', async () => {
    const [first, second] = [newCase(), newCase()]
    await put(await store({ messageId: 'first@x' }), first)
    const answer = await store({ inReplyTo: 'first@x', references: [await sent(second)] })
    await eventually(async () => expect(await caseOf(answer)).toBe(String(first)))
  })
})

describe('a conversation that has gone on to another case', () => {
  it('stays in it when the first message is taken out of the first case', async () => {
    const [first, second] = [newCase(), newCase()]
    const messages = [
      await storeOne(engine, box, 'CLIENTS', { messageId: 'first@x' }),
      await storeOne(engine, box, 'CLIENTS', { inReplyTo: 'first@x' }),
    ] as const
    await put(messages[0], first)
    await put(messages[1], second)
    await put(messages[0], null)
    const reply = await storeOne(engine, box, 'CLIENTS', { from: { address: 'party@client.example', name: '' }, inReplyTo: 'first@x' })
    await eventually(async () => expect(await caseOf(reply)).toBe(String(second)))
  })
})

describe('a case that is gone', () => {
  const deleted = (issueId: Id) =>
    IssueEvent.fromPartial({ issueId, customerId: here.customerId, revision: 9n, change: { $case: 'deleted', value: {} } })

  it('leaves its messages and conversations, whenever it is told', async () => {
    const [first, issue, other] = [await storeOne(engine, box, 'CLIENTS', { messageId: 'first@x' }), newCase(), newCase()]
    const elsewhere = await storeOne(engine, box, 'CLIENTS')
    await put(first, issue)
    await put(elsewhere, other)
    const changed = IssueEvent.fromPartial({ issueId: issue, customerId: here.customerId, change: { $case: 'changed', value: {} } })
    await service.publish(issueTopic, changed)
    expect(await caseOf(first)).toBe(String(issue))
    await service.publish(issueTopic, deleted(issue), deleted(issue), changed)
    expect([await caseOf(first), await caseOf(elsewhere)]).toEqual([null, String(other)])
    expect((await service.published(messageTopic)).at(-1)?.event.receivedIds).toEqual([first])
    const reply = await storeOne(engine, box, 'CLIENTS', { from: { address: 'party@client.example', name: '' }, inReplyTo: 'first@x' })
    await settled()
    expect(await caseOf(reply)).toBeNull()
  })

  it('is noticed when it went while a message was put into it', async () => {
    const [id, issue] = [await storeOne(engine, box, 'CLIENTS'), newCase()]
    let questions = 0
    owner.onQuestion = async () => {
      // Deleted after it was seen, and the event of it came before the message was written.
      if (questions++ > 0) owner.objects.splice(0)
    }
    expect((await put(id, issue)).status).toBe(200)
    await eventually(async () => expect(await caseOf(id)).toBeNull())
  })
})
