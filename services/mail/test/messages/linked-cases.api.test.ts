import type { Id } from '@caseway/kit/caller'
import { IssueEvent } from '@caseway/protos/cases_and_counters/v1/events'
import { issueTopic, messageTopic } from '@caseway/protos/topics'
import { eventually, randomId, type TestTenant } from '@caseway/testing'
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals'
import { answerQuestions, linkedCases, path, serviceWithCases } from '../support/linked-cases.js'
import { newMailbox, officeWithMail, storeOne, type TestMailbox } from '../support/mailbox.js'

const there = await serviceWithCases()
const { service, engine, owner, stop } = there
afterAll(stop)

let here: TestTenant
let box: TestMailbox
beforeEach(async () => {
  here = officeWithMail(service)
  box = await newMailbox(engine, here, here.expert.userId)
  answerQuestions(owner)
})

const { expert, newCase, put, caseOf, settled } = linkedCases(there, () => here)

const caseless = { status: 'error', errorMessages: { issue_id: 'does not exist' } }
const done = { status: 'OK' }

describe('PUT issue_id', () => {
  it('links messages to a case and unlinks them, and lists those of one case', async () => {
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

describe('a case that is gone', () => {
  const deleted = (issueId: Id) =>
    IssueEvent.fromPartial({ issueId, customerId: here.customerId, revision: 9n, change: { $case: 'deleted', value: {} } })

  it('is unlinked from its messages and conversations, whenever its event arrives', async () => {
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

  it('is noticed when it was deleted while a message was linked to it', async () => {
    const [id, issue] = [await storeOne(engine, box, 'CLIENTS'), newCase()]
    let questions = 0
    owner.onQuestion = async () => {
      // Deleted after the caller was seen to see it, with the event before the message was linked.
      if (questions++ > 0) owner.objects.splice(0)
    }
    expect((await put(id, issue)).status).toBe(200)
    await eventually(async () => expect(await caseOf(id)).toBeNull())
  })
})
