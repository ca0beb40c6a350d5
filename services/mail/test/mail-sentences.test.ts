import type { Id } from '@caseway/kit/caller'
import { LinkState } from '@caseway/protos/auth/v1/events'
import { IssueEvent, RemovedObjectsEvent, SentenceSentEvent } from '@caseway/protos/cases_and_counters/v1/events'
import { SentSentence } from '@caseway/protos/cases_and_counters/v1/sentences'
import { ScanStatus } from '@caseway/protos/files/v1/events'
import { customerTopic, issueTopic, linkTopic, removedObjectTopic, sentenceTopic } from '@caseway/protos/topics'
import { grpcAddressVariable } from '@caseway/registry'
import { eventually, randomId, type TestTenant } from '@caseway/testing'
import { customer, link } from '@caseway/testing/fake-auth'
import { type FakeFiles, fakeFiles, file } from '@caseway/testing/fake-files'
import { type FakeObjects, fakeObjects, object } from '@caseway/testing/fake-objects'
import { type TestService, testService } from '@caseway/testing/service'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { simpleParser } from 'mailparser'
import { mail } from '../src/wiring.js'
import { createMailServer } from './support/mail-servers.js'
import { newMailbox, officeWithMail, type Receiver, receiver, storeOne, testMessageIds } from './support/mailbox.js'
import { type TestSmtp, testSmtp } from './support/smtp-server.js'
import { mailFolder } from './support/storage.js'

const nothing = (): never => {
  throw new Error('There is none.')
}
const patience = { timeoutMs: 30_000 }
const storage = await mailFolder()

let owner: FakeObjects
let files: FakeFiles
let smtp: TestSmtp
let service: TestService
let engine: Receiver
beforeAll(async () => {
  ;[owner, files, smtp] = await Promise.all([fakeObjects(), fakeFiles(), testSmtp()])
  const peers = { [grpcAddressVariable('cases-and-counters')]: owner.address, [grpcAddressVariable('files')]: files.address }
  const here = { MAIL_ROLES: 'http,send', OUTBOUND_PRIVATE_HOSTS: '127.0.0.1', MAIL_FOLDER: storage.folder }
  service = await testService(mail, { variables: { ...peers, ...here, MAIL_ATTACHED_BYTES: '1000' } })
  engine = receiver(service.database)
})
afterAll(async () => {
  await engine.db.close()
  await service.stop()
  for (const other of [owner, files, smtp]) await other.stop()
  await storage.remove()
})

let here: TestTenant
let clientId: Id
let linkId: Id
/** Of the client: what others have got is not theirs. */
let address: string
beforeEach(async () => {
  here = officeWithMail(service)
  ;[clientId, linkId] = [randomId(), randomId()]
  address = `ada-${clientId}@client.example`
  await wants(here)
  await linked()
})

/** What an office wants. Whatever is said later is newer. */
let revision = 1n
const wants = ({ customerId }: TestTenant, fields: object = {}) =>
  service.publish(customerTopic, customer({ id: customerId, sentencesByMail: true, revision: revision++, ...fields }))
const linked = (fields: object = {}) =>
  service.publish(linkTopic, link({ id: linkId, customerId: here.customerId, clientId, email: address, revision: revision++, ...fields }))
const mailbox = (person = here.expert, fields: object = {}) =>
  createMailServer(service.asExpert(person), {
    ...{ server_protocol: 1, server_address: '127.0.0.1', server_port: smtp.port, server_encryption: 0, user_name: 'Anna Żółć' },
    ...{ user_email: `${randomId()}@office.example`, ...fields },
  })

/** What an employee has sent, with the case of it. */
function sentence(fields: Partial<SentSentence> = {}) {
  const { customerId, expert } = here
  const issue = object({ customerId })
  const said = SentSentence.fromPartial({
    ...{
      id: randomId(),
      issueId: issue.id,
      subject: 'Annual statement',
      body: 'Dear Ada,\n\nhere <it> is.',
      speakerId: expert.userId,
      clientId,
    },
    ...fields,
  })
  owner.objects.push(issue)
  owner.sentences.push({ ...said, customerId })
  return said
}
const eventOf = ({ id: sentenceId, issueId, speakerId, clientId }: SentSentence, { customerId } = here) =>
  SentenceSentEvent.fromPartial({ sentenceId, customerId, issueId, speakerId, clientId })
const tell = (...said: SentSentence[]) => service.publish(sentenceTopic, ...said.map((one) => eventOf(one)))

interface Row {
  readonly state: string
  readonly reason: string | null
  readonly mail_sent_message_id: string | null
}
const rowsOf = async ({ id }: SentSentence, person = here.expert) =>
  (await service.asExpert(person).get<{ MailSentence: Row }[]>(`/mail_sentence?issue_sentence_id=${id}`)).body.map(
    ({ MailSentence }) => MailSentence,
  )
/** What became of it, when something has. */
const became = (said: SentSentence) =>
  eventually(async () => {
    const [row] = await rowsOf(said)
    if (!row || row.state === 'waiting') throw new Error(`The sentence is ${row?.state}.`)
    return row
  }, patience)
const messages = () =>
  service.database.rows<{ id: Id; status: number; folder_name: string }>(
    `SELECT id, status, folder_name FROM mail_sent_messages WHERE customer_id = ${here.customerId} ORDER BY id`,
  )
const arrived = () => {
  const own = smtp.delivered.filter(({ to }) => to.includes(address))
  return Promise.all(own.map(async ({ to, bytes }) => ({ to, mail: await simpleParser(bytes) })))
}
const delivered = (count = 1) =>
  eventually(async () => {
    const all = await arrived()
    expect(all).toHaveLength(count)
    return all
  }, patience)

describe('a sentence that was sent to a client', () => {
  it('leaves from the mailbox of its author, once, however often it is told', async () => {
    const mail_server_id = await mailbox(here.expert, { signature: '<p>Office of Anna</p>' })
    const said = sentence()
    await tell(said, said)
    const { state, reason, mail_sent_message_id } = await became(said)
    expect([state, reason]).toEqual(['queued', null])
    await tell(said)
    const [{ to, mail: got } = nothing()] = await delivered()
    expect(to).toEqual([address])
    expect(got).toMatchObject({ subject: 'Annual statement', text: expect.stringContaining('here <it> is.') })
    expect(got.from?.value).toMatchObject([{ name: 'Anna Żółć' }])
    expect(got.html).toContain('<p>Dear Ada,</p>\n<p>here &lt;it&gt; is.</p>')
    expect([got.html, got.text]).toEqual([expect.stringContaining('<p>Office of Anna</p>'), expect.stringContaining('-- \nOffice of Anna')])
    const { body } = await service
      .asExpert(here.expert)
      .get<{ MailSentMysqlMessage: object }>(`/mail_sent_mysql_message/${mail_sent_message_id}`)
    const names = { issue_id: String(said.issueId), client_id: String(clientId), mail_server_id: String(mail_server_id) }
    expect(body.MailSentMysqlMessage).toMatchObject(names)
    const jobs = `SELECT FROM kit.job WHERE name = 'mail-sentence' AND payload->>'sentenceId' = '${said.id}' AND state NOT IN ('done', 'failed')`
    await eventually(async () => expect(await service.database.rows(jobs)).toEqual([]), patience)
    expect([(await rowsOf(said)).length, (await messages()).length]).toEqual([1, 1])
  })

  it('leaves from the mailbox with the address of the office where its author has none', async () => {
    const said = sentence({ speakerId: here.specialist.userId })
    await mailbox(here.expert)
    const ofOffice = await mailbox(here.expert, { user_email: 'office@office.example' })
    await wants(here, { email: 'Office@office.example' })
    await tell(said)
    await became(said)
    const rows = await service.database.rows(`SELECT mail_server_id AS id FROM mail_sent_messages WHERE customer_id = ${here.customerId}`)
    expect(rows).toEqual([{ id: String(ofOffice) }])
  })

  it('continues the conversation of its case, but for what no person has written', async () => {
    await mailbox()
    const first = sentence()
    const box = await newMailbox(engine, here, here.expert.userId)
    const received = async (messageId: string, autoKind: 'auto_reply' | null) => {
      const id = await storeOne(engine, box, 'CLIENTS', { messageId, autoKind, from: { address, name: '' } })
      await service.database.rows(`UPDATE mail_received_messages SET issue_id = ${first.issueId}, client_id = ${clientId} WHERE id = ${id}`)
    }
    await tell(first)
    const [{ mail: one } = nothing()] = await delivered()
    expect([one.inReplyTo, one.references]).toEqual([undefined, undefined])
    await received('question@client.example', null)
    await received('away@client.example', 'auto_reply')
    const second = sentence({ issueId: first.issueId })
    await tell(second)
    const [, { mail: two } = nothing()] = await delivered(2)
    expect(two.inReplyTo).toBe('<question@client.example>')
    expect(two.references).toEqual([one.messageId, '<question@client.example>'])
    // What answers it comes into the conversation.
    const answer = await storeOne(engine, box, 'CLIENTS', { inReplyTo: two.messageId?.slice(1, -1), from: { address, name: '' } })
    const [{ threads } = nothing()] = await service.database.rows<{ threads: string }>(
      `SELECT count(DISTINCT mail_thread_id) AS threads FROM mail_received_messages
       WHERE id = ${answer} OR customer_id = ${here.customerId} AND msg_unique_identifier = 'question@client.example'`,
    )
    expect(threads).toBe('1')
  })

  it('takes the files along that are clean, when the scan of all has ended', async () => {
    await mailbox()
    const [clean, infected, large] = [
      file({ customerId: here.customerId, name: 'clean.txt' }),
      file({ customerId: here.customerId, scanStatus: ScanStatus.INFECTED }),
      file({ customerId: here.customerId, sizeBytes: 1001n }),
    ]
    files.files.push(clean, infected, large)
    const of = (pending: boolean) => [clean, infected, large].map(({ id: commonFileId }) => ({ commonFileId, pending }))
    const said = sentence({ files: of(true) })
    await tell(said)
    const jobs = `SELECT FROM kit.job WHERE name = 'mail-sentence' AND delays > 0 AND payload->>'sentenceId' = '${said.id}'`
    await eventually(async () => expect(await service.database.rows(jobs)).toHaveLength(1), patience)
    expect(await messages()).toEqual([])
    Object.assign(owner.sentences.find(({ id }) => id === said.id) ?? {}, { files: of(false) })
    expect(await became(said)).toMatchObject({ state: 'queued', reason: 'files_left_out' })
    const [{ mail: got } = nothing()] = await delivered()
    expect(got.attachments.map(({ filename }) => filename)).toEqual(['clean.txt'])
  })
})

describe('a sentence does not leave', () => {
  const notSent = async (reason: string, fields: Partial<SentSentence> = {}) => {
    const said = sentence(fields)
    await tell(said)
    expect(await became(said)).toMatchObject({ state: 'not_sent', reason, mail_sent_message_id: null })
    expect(await messages()).toEqual([])
  }

  it('of an office that does not want it, which no office does by itself', async () => {
    const [other, said] = [officeWithMail(service), sentence()]
    for (const off of [() => wants(here, { sentencesByMail: false }), () => wants(here, { sentencesByMail: undefined })]) {
      await off()
      await tell(said)
      expect(await rowsOf(said)).toEqual([])
    }
    await service.publish(sentenceTopic, eventOf(said, other))
    expect(await rowsOf(said, other.expert)).toEqual([])
  })

  it('where the office wants it no more before it left', async () => {
    await mailbox()
    const said = sentence()
    await tell(said)
    await wants(here, { sentencesByMail: false })
    expect(await became(said)).toMatchObject({ state: 'not_sent', reason: 'off' })
  })

  it('without a mailbox, and not from those that do not send or are of others', async () => {
    await createMailServer(service.asExpert(here.expert))
    await mailbox(here.specialist)
    await notSent('no_mailbox')
  })

  it('through a mailbox with the address of the office whose owner may not read what others write', async () => {
    await wants(here, { email: 'office@office.example' })
    for (const person of [here.trainee, here.specialist]) await mailbox(person, { user_email: 'office@office.example' })
    await notSent('no_mailbox')
  })

  it('to a client without an address, whose link has ended, who is banned, or whom the office does not know', async () => {
    await mailbox()
    await linked({ email: '' })
    await notSent('no_address')
    for (const fields of [{ state: LinkState.ENDED }, { banned: true }]) {
      await linked(fields)
      await notSent('client_not_linked')
    }
    await notSent('client_not_linked', { clientId: randomId() })
  })

  it('in a case without a client', async () => {
    const said = sentence({ clientId: undefined })
    await tell(said)
    expect(await rowsOf(said)).toEqual([])
  })

  it('of another office', async () => {
    await mailbox()
    const said = sentence()
    const there = officeWithMail(service)
    await wants(there)
    await service.publish(sentenceTopic, eventOf(said, there))
    const row = () => rowsOf(said, there.expert)
    await eventually(async () => expect(await row()).toMatchObject([{ state: 'cancelled', reason: 'removed' }]), patience)
    expect([await rowsOf(said), await messages()]).toEqual([[], []])
    await tell(said)
    await became(said)
    expect(await row()).toHaveLength(1)
  })
})

describe('a sentence that is removed', () => {
  const removed = ({ id }: SentSentence, objectName = 'IssueSentence') =>
    service.publish(removedObjectTopic, RemovedObjectsEvent.fromPartial({ customerId: here.customerId, objectName, objectIds: [id] }))

  it('is not sent while it waits', async () => {
    await mailbox()
    const said = sentence()
    await tell(said)
    await removed(said, 'Comment')
    expect(await rowsOf(said)).toMatchObject([{ state: 'waiting' }])
    await removed(said)
    expect(await rowsOf(said)).toMatchObject([{ state: 'cancelled', reason: 'removed' }])
    const jobs = `SELECT FROM kit.job WHERE name = 'mail-sentence' AND payload->>'sentenceId' = '${said.id}' AND state <> 'done'`
    await eventually(async () => expect(await service.database.rows(jobs)).toEqual([]), patience)
    expect(await messages()).toEqual([])
  })

  it('is not sent while its message is queued, nor is one of a case that is deleted; what was sent stays', async () => {
    await mailbox()
    // One that has never sent, and is stopped: what is queued in it stays there.
    const stopped = await mailbox(here.specialist)
    await service.database.rows(`UPDATE mail_servers SET state = 'auth_failed' WHERE id = ${stopped}`)
    const speakerId = here.specialist.userId
    const [first, second, third] = [sentence(), sentence({ speakerId }), sentence({ speakerId })]
    await tell(first)
    await became(first)
    await delivered()
    await eventually(async () => expect(await messages()).toMatchObject([{ status: 2 }]), patience)
    await tell(second, third)
    for (const said of [second, third]) await became(said)
    for (const said of [first, second]) await removed(said)
    const change = { $case: 'deleted' as const, value: {} }
    await service.publish(issueTopic, IssueEvent.fromPartial({ issueId: third.issueId, customerId: here.customerId, revision: 9n, change }))
    const draft = { status: 4, folder_name: 'TRASH' }
    expect(await messages()).toMatchObject([{ status: 2, folder_name: 'SENT' }, draft, draft])
    expect([await rowsOf(first), await rowsOf(second), await rowsOf(third)]).toMatchObject([
      [{ state: 'queued' }],
      [{ state: 'cancelled' }],
      [{ state: 'cancelled' }],
    ])
  })
})

it('what answers it belongs to the case, by its signed Message-ID, where a party has sent it', async () => {
  await mailbox()
  const said = sentence()
  owner.isParty = ({ address: from }) => from === address
  await tell(said)
  const [{ mail: got } = nothing()] = await delivered()
  const sentId = got.messageId?.slice(1, -1) ?? ''
  expect(sentId).toMatch(/^[\w-]{22}\.[\w-]{16}@office\.example$/)
  // The receiver of the tests has a secret of its own.
  const inReplyTo = testMessageIds.make(here.customerId, address)
  await service.database.rows(
    `UPDATE mail_sent_messages SET msg_unique_identifier = '${inReplyTo}' WHERE msg_unique_identifier = '${sentId}'`,
  )
  const box = await newMailbox(engine, here, here.expert.userId)
  const answer = await storeOne(engine, box, 'CLIENTS', { inReplyTo, from: { address, name: '' } })
  const stranger = await storeOne(engine, box, 'CLIENTS', { inReplyTo, from: { address: 'eve@elsewhere.example', name: '' } })
  const caseOf = async (id: Id) =>
    (await service.database.rows<{ issue_id: string | null }>(`SELECT issue_id FROM mail_received_messages WHERE id = ${id}`))[0]?.issue_id
  await eventually(async () => expect(await caseOf(answer)).toBe(String(said.issueId)), patience)
  expect(await caseOf(stranger)).toBeNull()
})
