import { versionOf } from '@caseway/testing'
import { meetAt } from '@caseway/testing/held-transaction'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Cases, startCases } from '../support/cases.js'
import { get, issueOf, put, repliesOf } from '../support/sentences.js'

let cases: Cases
beforeAll(async () => {
  cases = await startCases()
})
afterAll(() => cases.stop())

const { withReply, typesOf } = repliesOf(() => cases)
const done = { status: 'OK' }
const ofState = { status: 'error', errorMessages: expect.any(String), errorCode: 'ISSUE_SENTENCE_STATE' }

describe('a reviewed reply', () => {
  it('is sent when it is approved', async () => {
    const { office, expert, issue, id } = await withReply()
    expect((await put(expert, id, { status: 'sent' })).body).toEqual(done)
    const approved = { status: 'sent', reviewed_by: String(office.expert.userId), corrected: '0', body: 'Dear client' }
    expect(await get(expert, id)).toMatchObject(approved)
    expect(await issueOf(expert, issue)).toMatchObject({ first_response_at: expect.any(String) })
    expect(await typesOf(office.trainee)).toEqual(['reply_approved'])
    expect(await typesOf(office.specialist)).toEqual(['reply_to_review', 'sentence_add'])
  })

  it('can be corrected, which keeps the original text', async () => {
    const { office, expert, id } = await withReply()
    expect((await put(expert, id, { status: 'sent', body: 'Dear Mrs. Nowak' })).body).toEqual(done)
    const corrected = { status: 'sent', body: 'Dear Mrs. Nowak', original_body: 'Dear client', corrected: '1' }
    expect(await get(expert, id)).toMatchObject({ ...corrected, speaker_id: String(office.trainee.userId) })
    expect(await typesOf(office.trainee)).toEqual(['reply_approved'])
  })

  it('can be rejected with a reason, and submitted again', async () => {
    const { office, expert, trainee, id } = await withReply()
    expect((await put(expert, id, { status: 'rejected' })).body).toEqual({
      status: 'error',
      errorMessages: { reject_reason: 'is required' },
    })
    expect((await put(expert, id, { status: 'rejected', reject_reason: 'Too short' })).body).toEqual(done)
    expect(await get(trainee, id)).toMatchObject({ status: 'rejected', rejected: '1', reject_reason: 'Too short' })
    expect(await typesOf(office.trainee)).toEqual(['reply_rejected'])
    expect((await put(trainee, id, { body: 'Dear Mrs. Nowak', status: 'sent' })).body).toEqual(done)
    expect(await get(trainee, id)).toMatchObject({ status: 'to_review', body: 'Dear Mrs. Nowak' })
    await put(expert, id, { status: 'sent' })
    expect(await get(trainee, id)).toMatchObject({ status: 'sent', rejected: '0', corrected: '0' })
    expect(await typesOf(office.specialist)).toEqual(['reply_to_review', 'reply_to_review', 'sentence_add'])
  })

  it.each(['sent', 'rejected'])('is rejected once: 409 for another reviewer who wants it %s', async (status) => {
    const { office, expert, id } = await withReply()
    const other = cases.asExpert(office.administrator)
    const rejected = { status: 'rejected', reject_reason: 'Too short' }
    const lock = { sql: 'SELECT FROM issue_sentences WHERE id = $1 FOR UPDATE', values: [id] }
    const answers = await meetAt(
      cases.database,
      lock,
      [expert, other].map((http) => () => put(http, id, rejected)),
    )
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409])
    expect(await put(other, id, { ...rejected, status })).toMatchObject({ status: 409, body: ofState })
  })

  it('is final when it is sent', async () => {
    const { expert, trainee, id } = await withReply()
    await put(expert, id, { status: 'sent' })
    for (const [http, move] of [
      [expert, { status: 'sent' }],
      [trainee, { body: 'No' }],
      [expert, { status: 'rejected', reject_reason: 'No' }],
    ] as const) {
      const { status, body } = await put(http, id, move)
      expect([status, body]).toEqual([409, ofState])
    }
  })

  it('cannot be approved without the right, nor edited by others', async () => {
    const { expert, specialist, trainee, id } = await withReply()
    for (const http of [specialist, trainee]) {
      expect((await put(http, id, { status: 'rejected', reject_reason: 'No' })).status).toBe(403)
    }
    expect((await put(specialist, id, { status: 'sent' })).status).toBe(403)
    expect((await put(trainee, id, { status: 'sent' })).status).toBe(409)
    expect((await put(expert, id, { body: 'Mine' })).status).toBe(403)
    expect(await get(expert, id)).toMatchObject({ status: 'to_review', body: 'Dear client' })
  })

  it('a stale version is refused', async () => {
    const { expert, id } = await withReply()
    const sent = { IssueSentence: { status: 'sent' } }
    expect((await expert.put(`/issue_sentence/${id}`, sent, { 'if-match': '"9"' })).status).toBe(412)
    expect((await expert.put(`/issue_sentence/${id}`, sent, { 'if-match': '"1"' })).status).toBe(200)
    expect(versionOf(await expert.get(`/issue_sentence/${id}`))).toBe(2)
  })
})

describe('a draft', () => {
  it('is written, changed and sent by its author, without notifications before it is sent', async () => {
    const { office, expert, trainee, issue, id } = await withReply('draft')
    const version = (await issueOf(expert, issue)).version
    await put(trainee, id, { body: 'Better' })
    expect(await get(trainee, id)).toMatchObject({ status: 'draft', body: 'Better' })
    expect((await put(expert, id, { status: 'sent' })).status).toBe(403)
    expect((await issueOf(expert, issue)).version).toBe(version)
    expect(await typesOf(office.specialist)).toEqual([])
    await put(trainee, id, { status: 'sent' })
    expect(await get(trainee, id)).toMatchObject({ status: 'to_review' })
    expect(await typesOf(office.specialist)).toEqual(['reply_to_review'])
  })
})
