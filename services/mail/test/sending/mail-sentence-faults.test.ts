import { eventually } from '@caseway/testing'
import { holdTransaction, untilWaiting } from '@caseway/testing/held-transaction'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
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

const rows = (sql: string) => sentences.service.database.rows(sql)
const stored = async () => ({
  messages: (await of.messages()).length,
  recipients: (await rows(`SELECT id FROM mail_sent_recipients WHERE customer_id = ${of.here.customerId}`)).length,
})

/** Ends the database session of the service that waits for a lock, and any other that waits: the same as when its process is killed. */
async function endWaiting(): Promise<void> {
  await eventually(async () => {
    const ended = await rows(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND backend_type = 'client backend' AND wait_event_type = 'Lock'`,
    )
    expect(ended).not.toEqual([])
  }, patience)
  await untilWaiting(sentences.service.database, 0)
}

describe('a sentence whose database session ends', () => {
  it.each([
    ['before its message is written', 'mail_sent_messages'],
    ['between its message and the recipients', 'mail_sent_recipients'],
    ['between its message and what is known of the sentence', 'mail_sentences'],
  ])('%s is still sent once', async (_, table) => {
    await of.mailbox()
    const sentence = of.sentence()
    await of.tell(sentence)
    const held = await holdTransaction(sentences.service.database, `LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE`)
    await endWaiting()
    expect(await rows(`SELECT id FROM mail_sent_messages WHERE customer_id = ${of.here.customerId}`)).toEqual([])
    await held.commit()
    const { state } = await of.became(sentence)
    expect([state, await stored()]).toEqual(['queued', { messages: 1, recipients: 1 }])
    expect(await of.delivered()).toHaveLength(1)
    const jobs = `SELECT FROM kit.job WHERE name = 'mail-sentence' AND payload->>'sentenceId' = '${sentence.id}' AND state NOT IN ('done', 'failed')`
    await eventually(async () => expect(await rows(jobs)).toEqual([]), patience)
    expect([await of.delivered(), await stored()]).toEqual([expect.any(Array), { messages: 1, recipients: 1 }])
  })
})
