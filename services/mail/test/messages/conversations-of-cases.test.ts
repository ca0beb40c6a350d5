import type { Id } from '@caseway/kit/caller'
import { office } from '@caseway/kit/database'
import { messageTopic } from '@caseway/protos/topics'
import { eventually, type TestTenant } from '@caseway/testing'
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals'
import { type AskedParty, answerQuestions, linkedCases, path, serviceWithCases } from '../support/linked-cases.js'
import { newMailbox, officeWithMail, storeOne, type TestMailbox, testMessageIds } from '../support/mailbox.js'

const there = await serviceWithCases()
const { service, engine, owner, stop } = there
afterAll(stop)

let here: TestTenant
let box: TestMailbox
let questions: AskedParty[]
beforeEach(async () => {
  here = officeWithMail(service)
  box = await newMailbox(engine, here, here.expert.userId)
  questions = answerQuestions(owner)
})

const { expert, newCase, put, caseOf, settled } = linkedCases(there, () => here)

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
    expect(questions).toContainEqual({ customerId: here.customerId, issueId: issue, address: 'party@client.example', clientId: undefined })
    const changes = (await service.published(messageTopic)).filter(({ event: { receivedIds } }) => receivedIds.includes(replies[0] as Id))
    expect(changes).toHaveLength(2)
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
    expect(questions.map(({ address }) => address)).toEqual(['stranger@elsewhere.example'])
  })

  it('does when the owner of the mailbox has sent it', async () => {
    const issue = newCase()
    await put(await storeOne(engine, box, 'CLIENTS', { messageId: 'first@x' }), issue)
    const sent = await storeOne(engine, box, 'SENT', reply({ from: from(box.address), specialUse: 'sent' }))
    await eventually(async () => expect(await caseOf(sent)).toBe(String(issue)))
    expect(questions).toEqual([])
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

  it('does not after the message in the case was unlinked', async () => {
    const [first, issue] = [await storeOne(engine, box, 'CLIENTS', { messageId: 'first@x' }), newCase()]
    const second = await storeOne(engine, box, 'CLIENTS', reply({ messageId: 'second@x' }))
    await put(first, issue)
    // The message had no case, so that unlinking it does not change the conversation.
    await put(second, null)
    const third = await storeOne(engine, box, 'CLIENTS', reply())
    await eventually(async () => expect(await caseOf(third)).toBe(String(issue)))
    await put(first, null)
    const last = await storeOne(engine, box, 'CLIENTS', reply())
    await settled()
    expect(await caseOf(last)).toBeNull()
  })
})

describe('a conversation that was taken out of a case', () => {
  it('is in it again when a message that is still linked is linked once more', async () => {
    const [issue, other] = [newCase(), newCase()]
    const first = await storeOne(engine, box, 'CLIENTS', { messageId: 'first@x' })
    const second = await storeOne(engine, box, 'CLIENTS', { inReplyTo: 'first@x' })
    const caseOfReply = async () => {
      const id = await storeOne(engine, box, 'CLIENTS', { from: { address: 'party@client.example', name: '' }, inReplyTo: 'first@x' })
      await settled()
      return caseOf(id)
    }
    await put(first, issue)
    await put(second, issue)
    await put(second, null)
    expect(await caseOfReply()).toBeNull()
    await put(first, issue)
    expect(await caseOfReply()).toBe(String(issue))
    await put(second, other)
    await put(first, issue)
    expect(await caseOfReply()).toBe(String(other))
  })
})

describe('what answers a message that was sent from a case', () => {
  const from = { address: 'party@client.example', name: '' }

  /** A sent message that belongs to a case. */
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

  it('does not where the Message-ID is forged, its message has no case, or the sender is no party', async () => {
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
    expect(questions.map(({ address }) => address)).toEqual(['stranger@elsewhere.example'])
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
