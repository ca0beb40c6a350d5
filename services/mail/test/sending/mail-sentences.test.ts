import type { Id } from '@caseway/kit/caller'
import { ScanStatus } from '@caseway/protos/files/v1/events'
import { eventually } from '@caseway/testing'
import { file } from '@caseway/testing/fake-files'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { newMailbox, storeOne, testMessageIds } from '../support/mailbox.js'
import { type MailedSentences, mailedSentences, type SentenceOffice } from '../support/sentences.js'

const nothing = (): never => {
  throw new Error('There is none.')
}
const patience = { timeoutMs: 30_000 }

let sentences: MailedSentences
let of: SentenceOffice
beforeAll(async () => {
  sentences = await mailedSentences()
})
afterAll(() => sentences.stop())
beforeEach(async () => {
  of = await sentences.office()
})

describe('a sentence that was sent to a client', () => {
  it('is sent once from the mailbox of its author, however often its event is delivered', async () => {
    const mail_server_id = await of.mailbox(of.here.expert, { signature: '<p>Office of Anna</p>' })
    const sentence = of.sentence()
    await of.tell(sentence, sentence)
    const { state, reason, mail_sent_message_id } = await of.became(sentence)
    expect([state, reason]).toEqual(['queued', null])
    await of.tell(sentence)
    const [{ to, mail: got } = nothing()] = await of.delivered()
    expect(to).toEqual([of.address])
    expect(got).toMatchObject({ subject: 'Annual statement', text: expect.stringContaining('here <it> is.') })
    expect(got.from?.value).toMatchObject([{ name: 'Anna Żółć' }])
    expect(got.html).toContain('<p>Dear Ada,</p>\n<p>here &lt;it&gt; is.</p>')
    expect([got.html, got.text]).toEqual([expect.stringContaining('<p>Office of Anna</p>'), expect.stringContaining('-- \nOffice of Anna')])
    const { body } = await sentences.service
      .asExpert(of.here.expert)
      .get<{ MailSentMysqlMessage: object }>(`/mail_sent_mysql_message/${mail_sent_message_id}`)
    const names = { issue_id: String(sentence.issueId), client_id: String(of.clientId), mail_server_id: String(mail_server_id) }
    expect(body.MailSentMysqlMessage).toMatchObject(names)
    const jobs = `SELECT FROM kit.job WHERE name = 'mail-sentence' AND payload->>'sentenceId' = '${sentence.id}' AND state NOT IN ('done', 'failed')`
    await eventually(async () => expect(await sentences.service.database.rows(jobs)).toEqual([]), patience)
    expect([(await of.rowsOf(sentence)).length, (await of.messages()).length]).toEqual([1, 1])
  })

  it('is sent from the mailbox with the address of the office where its author has none', async () => {
    const sentence = of.sentence({ speakerId: of.here.specialist.userId })
    await of.mailbox(of.here.expert)
    const ofOffice = await of.mailbox(of.here.expert, { user_email: 'office@office.example' })
    await of.wants(of.here, { email: 'Office@office.example' })
    await of.tell(sentence)
    await of.became(sentence)
    const rows = await sentences.service.database.rows(
      `SELECT mail_server_id AS id FROM mail_sent_messages WHERE customer_id = ${of.here.customerId}`,
    )
    expect(rows).toEqual([{ id: String(ofOffice) }])
  })

  it('continues the conversation of its case, without automatic mail', async () => {
    await of.mailbox()
    const first = of.sentence()
    const box = await newMailbox(sentences.engine, of.here, of.here.expert.userId)
    const received = async (messageId: string, autoKind: 'auto_reply' | null) => {
      const id = await storeOne(sentences.engine, box, 'CLIENTS', { messageId, autoKind, from: { address: of.address, name: '' } })
      await sentences.service.database.rows(
        `UPDATE mail_received_messages SET issue_id = ${first.issueId}, client_id = ${of.clientId} WHERE id = ${id}`,
      )
    }
    await of.tell(first)
    const [{ mail: one } = nothing()] = await of.delivered()
    expect([one.inReplyTo, one.references]).toEqual([undefined, undefined])
    // The sentence is marked as sent only when the server has accepted it: an earlier message would not be an answer.
    await eventually(async () => expect(await of.messages()).toMatchObject([{ status: 2 }]))
    await received('question@client.example', null)
    await received('away@client.example', 'auto_reply')
    const second = of.sentence({ issueId: first.issueId })
    await of.tell(second)
    const [, { mail: two } = nothing()] = await of.delivered(2)
    expect(two.inReplyTo).toBe('<question@client.example>')
    expect(two.references).toEqual([one.messageId, '<question@client.example>'])
    // The answer joins the conversation.
    const answer = await storeOne(sentences.engine, box, 'CLIENTS', {
      inReplyTo: two.messageId?.slice(1, -1),
      from: { address: of.address, name: '' },
    })
    const [{ threads } = nothing()] = await sentences.service.database.rows<{ threads: string }>(
      `SELECT count(DISTINCT mail_thread_id) AS threads FROM mail_received_messages
       WHERE id = ${answer} OR customer_id = ${of.here.customerId} AND msg_unique_identifier = 'question@client.example'`,
    )
    expect(threads).toBe('1')
  })

  it('carries its clean files, when all scans have ended', async () => {
    await of.mailbox()
    const [clean, infected, large] = [
      file({ customerId: of.here.customerId, name: 'clean.txt' }),
      file({ customerId: of.here.customerId, scanStatus: ScanStatus.INFECTED }),
      file({ customerId: of.here.customerId, sizeBytes: 1001n }),
    ]
    sentences.files.files.push(clean, infected, large)
    const withFiles = (pending: boolean) => [clean, infected, large].map(({ id: commonFileId }) => ({ commonFileId, pending }))
    const sentence = of.sentence({ files: withFiles(true) })
    await of.tell(sentence)
    const jobs = `SELECT FROM kit.job WHERE name = 'mail-sentence' AND delays > 0 AND payload->>'sentenceId' = '${sentence.id}'`
    await eventually(async () => expect(await sentences.service.database.rows(jobs)).toHaveLength(1), patience)
    expect(await of.messages()).toEqual([])
    Object.assign(sentences.owner.sentences.find(({ id }) => id === sentence.id) ?? {}, { files: withFiles(false) })
    expect(await of.became(sentence)).toMatchObject({ state: 'queued', reason: 'files_left_out' })
    const [{ mail: got } = nothing()] = await of.delivered()
    expect(got.attachments.map(({ filename }) => filename)).toEqual(['clean.txt'])
  })
})

it('has answers that belong to the case, by its signed Message-ID, where a party has sent them', async () => {
  await of.mailbox()
  const sentence = of.sentence()
  sentences.owner.isParty = ({ address: from }) => from === of.address
  await of.tell(sentence)
  const [{ mail: got } = nothing()] = await of.delivered()
  const sentId = got.messageId?.slice(1, -1) ?? ''
  expect(sentId).toMatch(/^[\w-]{22}\.[\w-]{16}@office\.example$/)
  // The receiver of the tests has a secret of its own.
  const inReplyTo = testMessageIds.make(of.here.customerId, of.address)
  await sentences.service.database.rows(
    `UPDATE mail_sent_messages SET msg_unique_identifier = '${inReplyTo}' WHERE msg_unique_identifier = '${sentId}'`,
  )
  const box = await newMailbox(sentences.engine, of.here, of.here.expert.userId)
  const answer = await storeOne(sentences.engine, box, 'CLIENTS', { inReplyTo, from: { address: of.address, name: '' } })
  const stranger = await storeOne(sentences.engine, box, 'CLIENTS', { inReplyTo, from: { address: 'eve@elsewhere.example', name: '' } })
  const caseOf = async (id: Id) =>
    (await sentences.service.database.rows<{ issue_id: string | null }>(`SELECT issue_id FROM mail_received_messages WHERE id = ${id}`))[0]
      ?.issue_id
  await eventually(async () => expect(await caseOf(answer)).toBe(String(sentence.issueId)), patience)
  expect(await caseOf(stranger)).toBeNull()
})
