import { answerTopic } from '@caseway/protos/topics'
import { testService } from '@caseway/testing/service'
import { afterAll, describe, expect, it } from '@jest/globals'
import { pollsAndWidgets } from '../src/wiring.js'
import { answerTo, fromElsewhere, notFound, publishPoll, unknown, visitors } from './support/polls.js'

const service = await testService(pollsAndWidgets)
afterAll(() => service.stop())

const { officeWithWidget, save } = visitors(service)

describe('POST /poll_answers/save', () => {
  it('stores the blocks byte for byte, and the fields of the contact', async () => {
    const { customerId, http, widget, pollId } = await officeWithWidget()
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

  it('publishes the answer', async () => {
    const { customerId, http, widget, pollId } = await officeWithWidget({ settings: '{"open_case":true}' })
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

  it('ignores a byte order mark, and does not store it', async () => {
    const { http, pollId } = await officeWithWidget()
    const sent = JSON.stringify(answerTo(pollId))
    expect((await save(`\ufeff${sent}`)).status).toBe(201)
    expect((await http.get('/poll_answer')).body).toMatchObject({ results: [{ poll_json: sent }] })
    expect((await save(`\ufeff\ufeff${sent}`)).status).toBe(400)
  })

  it('accepts each separator, and upper and lower case in the hash', async () => {
    const { customerId, widget } = await officeWithWidget()
    for (const separator of ['-', '_', ':', '/']) {
      const { status } = await save(answerTo(`${customerId}${separator}${widget.external_hash.toUpperCase()}`))
      expect([separator, status]).toEqual([separator, 201])
    }
  })

  it('is the same 404 for an unknown widget and for one of another office, whatever the other blocks are', async () => {
    const [{ customerId }, foreign] = [await officeWithWidget(), await officeWithWidget()]
    for (const hash of [unknown, foreign.widget.external_hash]) {
      for (const sent of [answerTo(`${customerId}-${hash}`), [...answerTo(`${customerId}-${hash}`), {}]]) {
        const { status, text, headers } = await save(sent)
        expect([status, text, headers.get('access-control-allow-origin')]).toEqual([404, notFound, null])
      }
    }
  })

  it('names every wrong block by its index', async () => {
    const { pollId } = await officeWithWidget()
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
    ['invalid JSON', '[{]'],
    ['no array', '{}'],
    ['a name twice', '[{"type":"header","type":"header"}]'],
    ['__proto__', '[{"__proto__":1}]'],
    ['NUL', '["\\u0000"]'],
    ['too deeply nested JSON', `${'['.repeat(30_000)}${']'.repeat(30_000)}`],
  ])('refuses %s', async (_, sent) => {
    const headers = { ...fromElsewhere(), 'content-type': 'application/json' }
    const { status, body } = await save(sent, headers)
    expect([status, body]).toEqual([400, { status: 'error', errorMessages: { body: expect.any(String) } }])
  })

  it('accepts 64 KiB of JSON, and refuses other content types', async () => {
    const { pollId } = await officeWithWidget()
    const answer = JSON.stringify(answerTo(pollId))
    expect((await save(answer.padEnd(65_536))).status).toBe(201)
    expect((await save(answer.padEnd(65_537))).status).toBe(413)
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])
      expect((await save(answer, { ...fromElsewhere(), 'content-type': type })).status).toBe(415)
  })

  it('allows only the origin of the widget, sets no cookie, and ignores tokens', async () => {
    const { pollId } = await officeWithWidget({ url: 'https://mine.example' })
    const headers = { ...fromElsewhere(), origin: 'https://evil.example', authorization: 'Bearer x' }
    const saved = await save(answerTo(pollId), headers)
    expect([saved.status, saved.headers.get('access-control-allow-origin')]).toEqual([201, 'https://mine.example'])
    expect(saved.headers.get('set-cookie')).toBeNull()
    expect((await save([...answerTo(pollId), {}])).headers.get('access-control-allow-origin')).toBe('https://mine.example')
  })
})

describe('the rate limits of answers', () => {
  it('are 30 a minute from one address over all copies, and count an IPv6 /64 and /48 as one address', async () => {
    const [{ pollId }, copy] = [await officeWithWidget(), await service.copy()]
    const post = (url: string, address: string) =>
      fetch(`${url}/client/poll_answers/save`, {
        ...{ method: 'POST', body: JSON.stringify(answerTo(pollId)) },
        headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      })
    const sentBy = (i: number) => post(i % 2 === 0 ? service.service.httpUrl : copy.httpUrl, `2001:db8:1:1::${i}`)
    const answers: Response[] = []
    // Eight at once, because on a busy machine the limits could not count more within their time-out. The last ones come one after another: the counts of the
    // /64 and the /48 are two, and of two answers at once each could be the 30th of the one and the 31st of the other.
    for (let first = 0; first < 24; first += 8) answers.push(...(await Promise.all(Array.from({ length: 8 }, (_, i) => sentBy(first + i)))))
    for (let i = 24; i < 32; i++) answers.push(await sentBy(i))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(30)
    const [refused] = answers.filter(({ status }) => status === 429)
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(refused?.headers.get('access-control-allow-origin')).toBe('https://shop.example')
    expect((await post(service.service.httpUrl, '2001:db8:1:2::1')).status).toBe(429)
    expect((await post(service.service.httpUrl, '2001:db8:2:1::1')).status).toBe(201)
  })

  it('are 300 a minute for one widget from all addresses', async () => {
    const { pollId, http } = await officeWithWidget()
    const answer = answerTo(pollId)
    const statuses: number[] = []
    for (let i = 0; i < 31; i++)
      statuses.push(...(await Promise.all(Array.from({ length: 10 }, () => save(answer)))).map(({ status }) => status))
    expect(statuses.filter((status) => status === 201)).toHaveLength(300)
    expect(statuses.filter((status) => status === 429)).toHaveLength(10)
    expect((await http.get('/poll_answer?count=1&limit=1')).headers.get('x-total-count')).toBe('300')
  })
})
