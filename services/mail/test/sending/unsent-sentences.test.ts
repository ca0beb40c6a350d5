import { LinkState } from '@caseway/protos/auth/v1/events'
import { IssueEvent, RemovedObjectsEvent } from '@caseway/protos/cases_and_counters/v1/events'
import type { SentSentence } from '@caseway/protos/cases_and_counters/v1/sentences'
import { issueTopic, removedObjectTopic, sentenceTopic } from '@caseway/protos/topics'
import { eventually, randomId } from '@caseway/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { createMailServer } from '../support/mail-servers.js'
import { officeWithMail } from '../support/mailbox.js'
import { type MailedSentences, mailedSentences, type SentenceOffice } from '../support/sentences.js'

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

describe('a sentence is not sent', () => {
  const notSent = async (reason: string, fields: Partial<SentSentence> = {}) => {
    const sentence = of.sentence(fields)
    await of.tell(sentence)
    expect(await of.became(sentence)).toMatchObject({ state: 'not_sent', reason, mail_sent_message_id: null })
    expect(await of.messages()).toEqual([])
  }

  it('where the office does not want it, which is the default', async () => {
    const [other, sentence] = [officeWithMail(sentences.service), of.sentence()]
    for (const off of [() => of.wants(of.here, { sentencesByMail: false }), () => of.wants(of.here, { sentencesByMail: undefined })]) {
      await off()
      await of.tell(sentence)
      expect(await of.rowsOf(sentence)).toEqual([])
    }
    await sentences.service.publish(sentenceTopic, sentences.eventOf(sentence, other))
    expect(await of.rowsOf(sentence, other.expert)).toEqual([])
  })

  it('where the office turns it off before the sentence was sent', async () => {
    await of.mailbox()
    const sentence = of.sentence()
    await of.tell(sentence)
    await of.wants(of.here, { sentencesByMail: false })
    expect(await of.became(sentence)).toMatchObject({ state: 'not_sent', reason: 'off' })
  })

  it('without a mailbox that sends and belongs to the author', async () => {
    await createMailServer(sentences.service.asExpert(of.here.expert))
    await of.mailbox(of.here.specialist)
    await notSent('no_mailbox')
  })

  it('from a mailbox with the address of the office whose owner may not read what others write', async () => {
    await of.wants(of.here, { email: 'office@office.example' })
    for (const person of [of.here.trainee, of.here.specialist]) await of.mailbox(person, { user_email: 'office@office.example' })
    await notSent('no_mailbox')
  })

  it('to a client without an address, whose link has ended, who is banned, or whom the office does not know', async () => {
    await of.mailbox()
    await of.linked({ email: '' })
    await notSent('no_address')
    for (const fields of [{ state: LinkState.ENDED }, { banned: true }]) {
      await of.linked(fields)
      await notSent('client_not_linked')
    }
    await notSent('client_not_linked', { clientId: randomId() })
  })

  it('in a case without a client', async () => {
    const sentence = of.sentence({ clientId: undefined })
    await of.tell(sentence)
    expect(await of.rowsOf(sentence)).toEqual([])
  })

  it('and shows its state, without its content, to employees of the office', async () => {
    const sentence = of.sentence()
    await of.tell(sentence)
    await of.became(sentence)
    const { expert, specialist, trainee } = of.here
    const fields = ['id', 'customer_id', 'issue_id', 'issue_sentence_id', 'state', 'reason', 'mail_sent_message_id', 'created', 'modified']
    for (const person of [expert, specialist, trainee]) {
      expect((await of.rowsOf(sentence, person)).map((row) => Object.keys(row).sort())).toEqual([fields.toSorted()])
    }
  })

  it('of another office', async () => {
    await of.mailbox()
    const sentence = of.sentence()
    const there = officeWithMail(sentences.service)
    await of.wants(there)
    await sentences.service.publish(sentenceTopic, sentences.eventOf(sentence, there))
    const row = () => of.rowsOf(sentence, there.expert)
    await eventually(async () => expect(await row()).toMatchObject([{ state: 'cancelled', reason: 'removed' }]), patience)
    expect([await of.rowsOf(sentence), await of.messages()]).toEqual([[], []])
    await of.tell(sentence)
    await of.became(sentence)
    expect(await row()).toHaveLength(1)
  })
})

describe('a sentence that is removed', () => {
  const removed = ({ id }: SentSentence, objectName = 'IssueSentence') =>
    sentences.service.publish(
      removedObjectTopic,
      RemovedObjectsEvent.fromPartial({ customerId: of.here.customerId, objectName, objectIds: [id] }),
    )

  const ofCase = ({ issueId }: SentSentence, $case: 'changed' | 'deleted') =>
    IssueEvent.fromPartial({ issueId, customerId: of.here.customerId, revision: 9n, change: { $case, value: {} } })

  it('is not sent when its case is deleted, and still waits when the case is only changed', async () => {
    await of.mailbox()
    const [sentence, gone] = [of.sentence(), of.sentence()]
    await of.tell(sentence, gone)
    await sentences.service.publish(issueTopic, ofCase(sentence, 'changed'), ofCase(gone, 'deleted'), ofCase(sentence, 'changed'))
    expect([await of.rowsOf(sentence), await of.rowsOf(gone)]).toMatchObject([[{ state: 'waiting' }], [{ state: 'cancelled' }]])
  })

  it('is not sent while it waits', async () => {
    await of.mailbox()
    const sentence = of.sentence()
    await of.tell(sentence)
    await removed(sentence, 'Comment')
    expect(await of.rowsOf(sentence)).toMatchObject([{ state: 'waiting' }])
    await removed(sentence)
    expect(await of.rowsOf(sentence)).toMatchObject([{ state: 'cancelled', reason: 'removed' }])
    const jobs = `SELECT FROM kit.job WHERE name = 'mail-sentence' AND payload->>'sentenceId' = '${sentence.id}' AND state <> 'done'`
    await eventually(async () => expect(await sentences.service.database.rows(jobs)).toEqual([]), patience)
    expect(await of.messages()).toEqual([])
  })

  it('is not sent while its message is queued, nor is one of a case that is deleted; what was sent stays', async () => {
    await of.mailbox()
    // A mailbox that has never sent, and is stopped: its messages stay queued.
    const stopped = await of.mailbox(of.here.specialist)
    await sentences.service.database.rows(`UPDATE mail_servers SET state = 'auth_failed' WHERE id = ${stopped}`)
    const speakerId = of.here.specialist.userId
    const [first, second, third] = [of.sentence(), of.sentence({ speakerId }), of.sentence({ speakerId })]
    await of.tell(first)
    await of.became(first)
    await of.delivered()
    await eventually(async () => expect(await of.messages()).toMatchObject([{ status: 2 }]), patience)
    await of.tell(second, third)
    for (const sentence of [second, third]) await of.became(sentence)
    for (const sentence of [first, second]) await removed(sentence)
    await sentences.service.publish(issueTopic, ofCase(third, 'deleted'))
    const draft = { status: 4, folder_name: 'TRASH' }
    expect(await of.messages()).toMatchObject([{ status: 2, folder_name: 'SENT' }, draft, draft])
    expect([await of.rowsOf(first), await of.rowsOf(second), await of.rowsOf(third)]).toMatchObject([
      [{ state: 'queued' }],
      [{ state: 'cancelled' }],
      [{ state: 'cancelled' }],
    ])
  })
})
