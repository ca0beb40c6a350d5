import { eventually } from '@caseway/testing'
import { holdTransaction, untilWaiting } from '@caseway/testing/held-transaction'
import { testService } from '@caseway/testing/service'
import { afterAll, describe, expect, it } from '@jest/globals'
import { pollsAndWidgets } from '../src/wiring.js'
import { answerTo, blocks, notFound, publishPoll, visitors } from './support/polls.js'

const service = await testService(pollsAndWidgets)
afterAll(() => service.stop())

const { officeWithWidget, save } = visitors(service)

describe('an answer to a published poll', () => {
  it('is checked against the newest version of the poll, and all errors are named at once', async () => {
    const { http, pollId } = await officeWithWidget()
    await publishPoll(http)
    const changed = blocks.map((block) =>
      block.data.title === 'What is your job?' ? { type: 'shortQuestion', data: { title: 'Job?' } } : block,
    )
    await publishPoll(http, { blocks: changed })
    const [header, job, helped] = answerTo(pollId, { helped: 'Perhaps' })
    const otherType = { type: 'longQuestion', data: { title: 'Job?', value: 'Baker' } }
    const { body } = await save([header, job, helped, helped, otherType])
    expect(body).toEqual({
      status: 'error',
      errorMessages: {
        1: 'is not a question of the poll',
        2: 'options must not have "Perhaps", which the poll does not have',
        3: 'must not answer a question again',
        4: 'is not a question of the poll',
      },
    })
  })

  it('names an invalid block at its own index only', async () => {
    const { http, pollId } = await officeWithWidget()
    await publishPoll(http)
    const [header, job, helped] = answerTo(pollId)
    const { body } = await save([header, { ...job, data: { ...job?.data, value: null } }, helped])
    expect(body).toEqual({ status: 'error', errorMessages: { 1: 'value must be string' } })
    const titled = { ...header, data: { ...header?.data, title: 'Did we help?' } }
    const missing = { status: 'error', errorMessages: { 0: 'must be followed by an answer to "Did we help?"' } }
    expect((await save([titled, job])).body).toEqual(missing)
  })

  it('must satisfy the rules of the poll, and not those in the answer', async () => {
    const { http, pollId } = await officeWithWidget()
    await publishPoll(http, { blocks: blocks.slice(0, 6) })
    const [header, job] = answerTo(pollId)
    const scale = {
      type: 'lineScaleQuestion',
      data: { title: 'How was it?', value: 9, line_scale: [{ label_from: { text: '', value: 0 } }, { label_to: { text: '', value: 10 } }] },
    }
    const blank = { ...job, data: { ...job?.data, required: false, value: ' ' } }
    const { body } = await save([header, blank, scale, { type: 'contact', data: {} }])
    expect(body).toEqual({
      status: 'error',
      errorMessages: {
        0: 'must be followed by an answer to "Did we help?"',
        1: 'is required',
        2: 'value must be from 1 to 5',
        3: 'is not asked for by the poll',
      },
    })
  })

  it('need not satisfy the rules in the answer', async () => {
    const { http, pollId } = await officeWithWidget()
    await publishPoll(http)
    const optional = { type: 'longQuestion', data: { title: 'What else?', required: true, value: '' } }
    const line_scale = [{ label_from: { text: '', value: 1 } }, { label_to: { text: '', value: 3 } }]
    const scale = { type: 'lineScaleQuestion', data: { title: 'How was it?', value: 5, line_scale } }
    const { status, body } = await save([...answerTo(pollId), optional, scale])
    expect([status, body]).toEqual([201, { id: expect.any(Number) }])
  })

  it('is the 404 of an unknown widget after the poll has closed', async () => {
    const { http, pollId, widget } = await officeWithWidget()
    const poll = await publishPoll(http)
    expect((await service.visitor.get(`/polls/${widget.external_hash}`)).status).toBe(200)
    await http.put(`/poll/${poll}`, { Poll: { closes_at: '2026-01-01 00:00:00' } })
    const closed = await save(answerTo(pollId))
    expect([closed.status, closed.text]).toEqual([404, notFound])
    expect(closed.headers.get('access-control-allow-origin')).toBe('https://shop.example')
    expect((await service.visitor.get(`/polls/${widget.external_hash}`)).status).toBe(404)
  })

  it('prevents the deletion of the poll until the answer is deleted', async () => {
    const { http, pollId } = await officeWithWidget()
    const poll = await publishPoll(http)
    const { body } = await save(answerTo(pollId))
    const refused = await http.delete(`/poll/${poll}`)
    expect([refused.status, refused.body]).toEqual([409, expect.objectContaining({ errorCode: 'POLL_ANSWERED' })])
    await service.database.rows('DELETE FROM poll_answers WHERE id = $1', [body.id])
    expect((await http.delete(`/poll/${poll}`)).status).toBe(200)
    expect((await save(answerTo(pollId))).status).toBe(201)
  })
})

describe('an answer and the deletion of its poll at the same time', () => {
  const answersOf = (poll: number) =>
    service.database.rows('SELECT FROM poll_answers WHERE poll_id = $1 AND poll_version IS NOT NULL', [poll])

  /** Deletes and answers a published poll concurrently: `first` locks the poll and waits for a lock on `table` before the other begins. */
  async function concurrently(first: 'save' | 'remove', table: string) {
    const { http, pollId } = await officeWithWidget()
    const poll = await publishPoll(http)
    // Waits for the relay, because its deletes from the outbox would wait for the table as well.
    await eventually(async () => expect(await service.database.rows('SELECT FROM kit.outbox')).toEqual([]))
    const requests = { save: () => save(answerTo(pollId)), remove: () => http.delete<object>(`/poll/${poll}`) }
    const held = await holdTransaction(service.database, `LOCK TABLE ${table} IN SHARE MODE`)
    const one = requests[first]()
    await untilWaiting(service.database, 1)
    const other = requests[first === 'save' ? 'remove' : 'save']()
    await untilWaiting(service.database, 2)
    await held.commit()
    return { poll, answers: await Promise.all([one, other]) }
  }

  it('the deletion waits for the answer, and is then refused', async () => {
    const { poll, answers } = await concurrently('save', 'kit.outbox')
    const [saved, removed] = answers
    expect([saved.status, removed.status, removed.body]).toEqual([201, 409, expect.objectContaining({ errorCode: 'POLL_ANSWERED' })])
    expect(await answersOf(poll)).toHaveLength(1)
  })

  it('the answer waits for the deletion, and is then 404', async () => {
    const { poll, answers } = await concurrently('remove', 'poll_versions')
    const [removed, saved] = answers
    expect([removed.status, saved.status, saved.text]).toEqual([200, 404, notFound])
    expect(await answersOf(poll)).toEqual([])
  })

  it('leave no answer without its poll, in either order', async () => {
    for (let round = 0; round < 20; round++) {
      const { http, pollId } = await officeWithWidget()
      const poll = await publishPoll(http)
      const answers = Array.from({ length: 4 }, () => save(answerTo(pollId)))
      const [removed, ...saved] = await Promise.all([http.delete(`/poll/${poll}`), ...answers])
      // After the deletion an answer belongs to the widget only.
      for (const { status } of saved) expect([201, 404]).toContain(status)
      expect([200, 409]).toContain(removed.status)
      expect((await answersOf(poll)).length > 0).toBe(removed.status === 409)
    }
  })
})
