import { answerTopic } from '@caseway/protos/topics'
import { holdTransaction, untilWaiting } from '@caseway/testing/held-transaction'
import { type TestService, testService } from '@caseway/testing/service'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { pollsAndWidgets } from '../src/wiring.js'
import { answerTo, blocks, fromElsewhere, newWidget, publishPoll } from './support/polls.js'

let service: TestService
beforeAll(async () => {
  service = await testService(pollsAndWidgets)
})
afterAll(() => service.stop())

/** An office with a widget. */
async function asked(fields: object = {}) {
  const { customerId, expert } = service.office()
  const http = service.asExpert(expert)
  const widget = await newWidget(http, fields)
  return { customerId, http, widget, pollId: `${customerId}-${widget.external_hash}` }
}

const save = (body: unknown, headers: Record<string, string> = fromElsewhere()) =>
  service.visitor.post<{ id: number }>('/poll_answers/save', body, headers)

const unknown = '00000000-0000-4000-8000-000000000000'
const notFound = '{"status":"error","errorMessages":"Not found.","errorCode":"NOT_FOUND"}'

describe('POST /poll_answers/save', () => {
  it('stores the blocks as they were sent, and whom the contact names', async () => {
    const { customerId, http, widget, pollId } = await asked()
    const contact = { email: 'jan@baker.example', firstname: 'Jan', lastname: '', extra: 1 }
    const sent = ` ${JSON.stringify(answerTo(pollId, { contact }), null, 1)}\n`
    const { status, body } = await save(sent, { 'x-forwarded-for': '198.51.100.7, 2001:db8::7' })
    expect([status, body]).toEqual([201, { id: expect.any(Number) }])
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
    expect((await http.get('/poll_answer')).body).toEqual({
      results: [
        {
          ...{ id: body.id, customer_id: Number(customerId), user_ip: '2001:db8::7', poll_id: widget.id, poll_json: sent },
          ...{ email: 'jan@baker.example', firstname: 'Jan', lastname: null, phone: null, company: null },
          ...{ submission_time: time, created: time, modified: time },
        },
      ],
    })
  })

  it('tells it to the other services', async () => {
    const { customerId, http, widget, pollId } = await asked({ settings: '{"open_case":true}' })
    const poll = await publishPoll(http, { name: 'How was it?' })
    const { body } = await save(answerTo(pollId, { withWhat: ['Pay', 'Tax'], how: 4, contact: { phone: '123' } }))
    const found = (await service.published(answerTopic)).filter(({ event }) => event.customerId === customerId)
    expect(found).toEqual([
      {
        key: String(customerId),
        event: {
          ...{ id: BigInt(body.id), customerId, chatWidgetId: BigInt(widget.id), externalHash: widget.external_hash, openCase: true },
          ...{ poll: { id: BigInt(poll), version: 2, name: 'How was it?' }, submissionTime: expect.any(Date) },
          respondent: { email: '', firstname: '', lastname: '', phone: '123', company: '' },
          questions: [
            { title: 'What is your job?', answers: ['Baker'] },
            { title: 'Did we help?', answers: ['Yes'] },
            { title: 'With what?', answers: ['Pay', 'Tax'] },
            { title: 'How was it?', answers: ['4'] },
          ],
        },
      },
    ])
  })

  it('takes any of the separators, and the letters of the hash in either case', async () => {
    const { customerId, widget } = await asked()
    for (const separator of ['-', '_', ':', '/']) {
      const { status } = await save(answerTo(`${customerId}${separator}${widget.external_hash.toUpperCase()}`))
      expect([separator, status]).toEqual([separator, 201])
    }
  })

  it('is the same 404 for an unknown widget and for one of another office, whatever the other blocks are', async () => {
    const [{ customerId }, foreign] = [await asked(), await asked()]
    for (const hash of [unknown, foreign.widget.external_hash]) {
      for (const sent of [answerTo(`${customerId}-${hash}`), [...answerTo(`${customerId}-${hash}`), {}]]) {
        const { status, text, headers } = await save(sent)
        expect([status, text, headers.get('access-control-allow-origin')]).toEqual([404, notFound, null])
      }
    }
  })

  it('names every wrong block by its index', async () => {
    const { pollId } = await asked()
    const [header, ...others] = answerTo(pollId)
    const wrong = await save([header, {}, ...others, header])
    const text = expect.any(String)
    expect([wrong.status, wrong.body]).toEqual([400, { status: 'error', errorMessages: { 1: text, 4: 'must not be another header' } }])
    expect((await save(others)).body).toEqual({ status: 'error', errorMessages: { 0: 'must be a header with a poll_id' } })
    for (const id of ['', 'x', pollId.replace('-', ''), `0${pollId}`, `${pollId}0`])
      expect((await save(answerTo(id))).body).toEqual({ status: 'error', errorMessages: { 0: 'must be a header with a poll_id' } })
  })

  it.each([
    ['nothing', undefined],
    ['what is no JSON', '[{]'],
    ['no array', '{}'],
    ['a name twice', '[{"type":"header","type":"header"}]'],
    ['__proto__', '[{"__proto__":1}]'],
    ['NUL', '["\\u0000"]'],
    ['what is too deep', `${'['.repeat(30_000)}${']'.repeat(30_000)}`],
  ])('refuses %s', async (_, sent) => {
    const headers = { ...fromElsewhere(), 'content-type': 'application/json' }
    const { status, body } = await save(sent, headers)
    expect([status, body]).toEqual([400, { status: 'error', errorMessages: { body: expect.any(String) } }])
  })

  it('takes 64 KiB of JSON, and no plain form', async () => {
    const { pollId } = await asked()
    const answer = JSON.stringify(answerTo(pollId))
    expect((await save(answer.padEnd(65_536))).status).toBe(201)
    expect((await save(answer.padEnd(65_537))).status).toBe(413)
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])
      expect((await save(answer, { ...fromElsewhere(), 'content-type': type })).status).toBe(415)
  })

  it('can be read by the pages of the widget alone, sets no cookie, and looks at no token', async () => {
    const { pollId } = await asked({ url: 'https://mine.example' })
    const headers = { ...fromElsewhere(), origin: 'https://evil.example', authorization: 'Bearer x' }
    const saved = await save(answerTo(pollId), headers)
    expect([saved.status, saved.headers.get('access-control-allow-origin')]).toEqual([201, 'https://mine.example'])
    expect(saved.headers.get('set-cookie')).toBeNull()
    expect((await save([...answerTo(pollId), {}])).headers.get('access-control-allow-origin')).toBe('https://mine.example')
  })
})

describe('an answer to a published poll', () => {
  it('is checked against its newest version, all of it at once', async () => {
    const { http, pollId } = await asked()
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

  it('goes by what the poll requires and allows, whatever the answer says of it', async () => {
    const { http, pollId } = await asked()
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

  it('is 409 after the poll has closed', async () => {
    const { http, pollId, widget } = await asked()
    const poll = await publishPoll(http)
    expect((await service.visitor.get(`/polls/${widget.external_hash}`)).status).toBe(200)
    await http.put(`/poll/${poll}`, { Poll: { closes_at: '2026-01-01 00:00:00' } })
    const { status, body, headers } = await save(answerTo(pollId))
    expect([status, body]).toEqual([409, expect.objectContaining({ errorCode: 'POLL_CLOSED' })])
    expect(headers.get('access-control-allow-origin')).toBe('https://shop.example')
    expect((await service.visitor.get(`/polls/${widget.external_hash}`)).status).toBe(404)
  })

  it('keeps the poll from being deleted, as long as it is there', async () => {
    const { http, pollId } = await asked()
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

  /** A published poll that is deleted and answered: `first` holds it, and waits for `table`, before the other begins. */
  async function meet(first: 'save' | 'remove', table: string) {
    const { http, pollId } = await asked()
    const poll = await publishPoll(http)
    const requests = { save: () => save(answerTo(pollId)), remove: () => http.delete<object>(`/poll/${poll}`) }
    const held = await holdTransaction(service.database, `LOCK TABLE ${table} IN SHARE MODE`)
    const one = requests[first]()
    await untilWaiting(service.database, 1)
    const other = requests[first === 'save' ? 'remove' : 'save']()
    await untilWaiting(service.database, 2)
    await held.commit()
    return { poll, answers: await Promise.all([one, other]) }
  }

  it('the deletion waits for the answer, and is refused then', async () => {
    const { poll, answers } = await meet('save', 'kit.outbox')
    const [saved, removed] = answers
    expect([saved.status, removed.status, removed.body]).toEqual([201, 409, expect.objectContaining({ errorCode: 'POLL_ANSWERED' })])
    expect(await answersOf(poll)).toHaveLength(1)
  })

  it('the answer waits for the deletion, and is 404 then', async () => {
    const { poll, answers } = await meet('remove', 'poll_versions')
    const [removed, saved] = answers
    expect([removed.status, saved.status, saved.text]).toEqual([200, 404, notFound])
    expect(await answersOf(poll)).toEqual([])
  })

  it('leave no answer without its poll, whichever comes first', async () => {
    for (let round = 0; round < 20; round++) {
      const { http, pollId } = await asked()
      const poll = await publishPoll(http)
      const answers = Array.from({ length: 4 }, () => save(answerTo(pollId)))
      const [removed, ...saved] = await Promise.all([http.delete(`/poll/${poll}`), ...answers])
      // Who comes after the deletion answers the widget alone.
      for (const { status } of saved) expect([201, 404]).toContain(status)
      expect([200, 409]).toContain(removed.status)
      expect((await answersOf(poll)).length > 0).toBe(removed.status === 409)
    }
  })
})

describe('GET /polls/{external_hash}', () => {
  it('has the newest poll for the widget, ready to be filled in', async () => {
    const { http, pollId, widget } = await asked()
    const other = await newWidget(http)
    await publishPoll(http, { name: 'For all' })
    await publishPoll(http, { name: 'For one', chat_widget_id: widget.id })
    const nameAt = async (hash: string) => {
      const { body, headers } = await service.visitor.get<{ Poll: { name: string; blocks: object[] } }>(`/polls/${hash}`)
      expect([headers.get('access-control-allow-origin'), headers.get('cache-control')]).toEqual(['https://shop.example', 'max-age=60'])
      return body.Poll
    }
    expect((await nameAt(other.external_hash)).name).toBe('For all')
    const { name, blocks: shown } = await nameAt(widget.external_hash)
    expect([name, shown]).toEqual(['For one', [{ type: 'header', data: { poll_id: pollId } }, ...blocks]])
  })

  it('is the same 404 without a widget and without a poll', async () => {
    const { widget } = await asked()
    for (const hash of [unknown, 'x', widget.external_hash]) {
      const { status, text } = await service.visitor.get(`/polls/${hash}`)
      expect([status, text]).toEqual([404, notFound])
    }
  })
})

describe('the limits of answers', () => {
  it('are 30 a minute of one address, over all copies; of IPv6 its /64', async () => {
    const [{ pollId }, copy] = [await asked(), await service.copy()]
    const post = (url: string, address: string) =>
      fetch(`${url}/client/poll_answers/save`, {
        ...{ method: 'POST', body: JSON.stringify(answerTo(pollId)) },
        headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      })
    const sent = Array.from({ length: 32 }, (_, i) => post(i % 2 === 0 ? service.service.httpUrl : copy.httpUrl, `2001:db8:1:1::${i}`))
    const answers = await Promise.all(sent)
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(30)
    const [refused] = answers.filter(({ status }) => status === 429)
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(refused?.headers.get('access-control-allow-origin')).toBe('https://shop.example')
    expect((await post(service.service.httpUrl, '2001:db8:1:2::1')).status).toBe(201)
  })

  it('are 300 a minute for one widget, from wherever', async () => {
    const { pollId, http } = await asked()
    const answer = answerTo(pollId)
    const statuses: number[] = []
    for (let i = 0; i < 31; i++)
      statuses.push(...(await Promise.all(Array.from({ length: 10 }, () => save(answer)))).map(({ status }) => status))
    expect(statuses.filter((status) => status === 201)).toHaveLength(300)
    expect(statuses.filter((status) => status === 429)).toHaveLength(10)
    expect((await http.get('/poll_answer?count=1&limit=1')).headers.get('x-total-count')).toBe('300')
  })
})
