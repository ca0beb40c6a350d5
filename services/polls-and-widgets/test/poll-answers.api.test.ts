import { testTechnical, versionOf } from '@caseway/testing'
import { type TestService, testService } from '@caseway/testing/service'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { pollsAndWidgets } from '../src/wiring.js'
import { type Answers, answerTo, fromElsewhere, newWidget, publishPoll } from './support/polls.js'

let service: TestService
beforeAll(async () => {
  service = await testService(pollsAndWidgets)
})
afterAll(() => service.stop())

/** Creates an office whose poll has these answers. */
async function answered(...answers: Answers[]) {
  const office = service.office()
  const http = service.asExpert(office.expert)
  const { external_hash } = await newWidget(http)
  const poll = await publishPoll(http)
  const save = async (answer: Answers) => {
    const sent = answerTo(`${office.customerId}-${external_hash}`, answer)
    const { body } = await service.visitor.post<{ id: number }>('/poll_answers/save', sent, fromElsewhere())
    return body.id
  }
  const ids: number[] = []
  for (const answer of answers) ids.push(await save(answer))
  return { ...office, http, poll, ids, save }
}

const asCsv = { accept: 'text/csv' }

describe('GET /rest/poll_answer', () => {
  it('has pages, filters and an order', async () => {
    const { http, poll, ids } = await answered({}, {}, {})
    interface Listed {
      readonly results: { readonly id: number; readonly poll_id: number }[]
    }
    const idsOf = async (query: string) => (await http.get<Listed>(`/poll_answer${query}`)).body.results.map(({ id }) => id)
    expect(await idsOf('?sort=-id')).toEqual(ids.toReversed())
    expect(await idsOf(`?poll_id=${poll}`)).toEqual(ids)
    expect(await idsOf('?poll_id=999999')).toEqual([])
    const { headers } = await http.get('/poll_answer?limit=2')
    const next = /\/rest(\/poll_answer\?[^>]+)>/.exec(headers.get('link') ?? '')?.[1]
    expect(await idsOf(`${next?.slice('/poll_answer'.length)}`)).toEqual(ids.slice(2))
    const one = await http.get(`/poll_answer/${ids[0]}`)
    expect([one.body, versionOf(one)]).toEqual([expect.objectContaining({ id: ids[0], poll_id: poll }), 1])
  })

  it('is CSV where it is accepted: all rows, without formulas', async () => {
    const odd = [{ contact: { company: '=1+1', firstname: 'A,"B"', lastname: '@x' } }, { contact: { phone: '+48 1' } }]
    const { http, ids } = await answered(...Array.from({ length: 104 }, () => ({})), ...odd)
    const { status, headers, text } = await http.get('/poll_answer?limit=1', asCsv)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8; header=present'])
    expect([headers.get('vary'), headers.get('content-disposition')]).toEqual(['Accept', 'attachment; filename="poll_answer.csv"'])
    const [head, ...lines] = text.trimEnd().split('\r\n')
    expect(head).toBe('id,customer_id,user_ip,poll_id,submission_time,poll_json,email,firstname,lastname,phone,company,created,modified')
    expect(lines.map((line) => Number(line.split(',')[0]))).toEqual(ids)
    expect(lines.at(-2)).toContain(`,,"A,""B""","'@x",,"'=1+1",`)
    expect(lines.at(-1)).toContain(`,"'+48 1",`)
    expect((await http.get('/poll_answer', { accept: 'application/json, text/csv;q=0.9' })).body).toHaveProperty('results')
  })

  it('filters CSV as well, and names invalid filters', async () => {
    const { http, poll } = await answered({})
    expect((await http.get(`/poll_answer?poll_id=${poll}`, asCsv)).text.split('\r\n')).toHaveLength(3)
    expect((await http.get('/poll_answer?poll_id=999999', asCsv)).text.split('\r\n')).toHaveLength(2)
    expect((await http.get('/poll_answer?email=x', asCsv)).status).toBe(400)
  })
})

describe('GET /rest/poll/{id}/results', () => {
  interface Read {
    readonly PollResults: { readonly answers: string; readonly questions: { readonly title: string }[] }
  }
  const values = (counted: Record<string, number>) => Object.entries(counted).map(([value, n]) => ({ value, answers: `${n}` }))

  it('counts the answers of each question', async () => {
    const { http, poll } = await answered(
      { helped: 'Yes', withWhat: ['Tax', 'Pay'], how: 5 },
      { helped: 'No', withWhat: ['Tax'], how: 2 },
      {},
    )
    const counted = { answers: '3' }
    expect((await http.get(`/poll/${poll}/results`)).body).toEqual({
      PollResults: {
        ...counted,
        questions: [
          { type: 'shortQuestion', title: 'What is your job?', ...counted },
          { type: 'longQuestion', title: 'What else?', answers: '0' },
          { type: 'oneOptionQuestion', title: 'Did we help?', ...counted, options: values({ Yes: 2, No: 1 }) },
          { type: 'multipleOptionQuestion', title: 'With what?', answers: '2', options: values({ Tax: 2, Law: 0, Pay: 1 }) },
          { type: 'selectQuestion', title: 'Where?', answers: '0', options: values({ Łódź: 0, Kraków: 0 }) },
          {
            ...{ type: 'lineScaleQuestion', title: 'How was it?', answers: '2', mean: '3.50' },
            histogram: values({ 1: 0, 2: 1, 3: 0, 4: 0, 5: 1 }),
          },
        ],
      },
    })
  })

  it('is grouped by days in the time zone of the office', async () => {
    const { http, poll, ids } = await answered({}, {})
    await service.database.rows("UPDATE poll_counts SET day = '2026-01-31' WHERE poll_id = $1", [poll])
    const answersOf = async (query: string) => (await http.get<Read>(`/poll/${poll}/results${query}`)).body.PollResults.answers
    expect(await answersOf('?date_from=2026-01-31&date_to=2026-01-31')).toBe(String(ids.length))
    expect([await answersOf('?date_from=2026-02-01'), await answersOf('?date_to=2026-01-30')]).toEqual(['0', '0'])
    const wrong = await http.get(`/poll/${poll}/results?date_from=2026-02-01&date_to=2026-01-01`)
    expect([wrong.status, wrong.body]).toEqual([400, { status: 'error', errorMessages: { date_to: 'must not be before date_from' } }])
    const none = await http.get(`/poll/${poll}/results?date_from=x&date_to=2026-02-30&day=1`)
    const text = 'must be a date as YYYY-MM-DD'
    expect([none.status, none.body]).toEqual([
      400,
      { status: 'error', errorMessages: { date_from: text, date_to: text, day: 'is unknown' } },
    ])
  })

  it('combines the versions of a poll', async () => {
    const { http, poll, save } = await answered({ helped: 'No', how: 1 })
    const helped = { type: 'oneOptionQuestion', data: { title: 'Did we help?', options: [{ value: 'Perhaps' }, { value: 'No' }] } }
    const job = { type: 'shortQuestion', data: { title: 'What is your job?' } }
    await http.put(`/poll/${poll}`, { Poll: { blocks: [job, helped] } })
    await http.post(`/poll/${poll}/publish`)
    await save({ helped: 'No' })
    const { PollResults } = (await http.get<Read>(`/poll/${poll}/results`)).body
    expect(PollResults.answers).toBe('2')
    expect(PollResults.questions.find(({ title }) => title === 'Did we help?')).toMatchObject({
      options: values({ Perhaps: 0, No: 2, Yes: 0 }),
    })
    expect(PollResults.questions.map(({ title }) => title).slice(0, 2)).toEqual(['What is your job?', 'Did we help?'])
  })

  it('does not count deleted answers', async () => {
    const { http, administrator, poll, ids } = await answered({ how: 5, withWhat: ['Law'] }, { how: 1 })
    expect((await service.asExpert(administrator).delete(`/poll_answer/${ids[0]}`)).body).toEqual({ status: 'OK' })
    const { questions, answers } = (await http.get<Read>(`/poll/${poll}/results`)).body.PollResults
    expect(answers).toBe('1')
    expect(questions.at(-1)).toMatchObject({ answers: '1', mean: '1.00' })
    expect(questions[3]).toMatchObject({ answers: '0', options: values({ Tax: 0, Law: 0, Pay: 0 }) })
  })
})

describe('who may', () => {
  it('read: administrators and experts; delete: administrators', async () => {
    const { administrator, expert, specialist, trainee, ids } = await answered({}, {})
    const statuses = async (method: string, path: string) =>
      Promise.all([trainee, specialist, expert].map(async (person) => (await service.asExpert(person).request(method, path)).status))
    expect(await statuses('GET', '/poll_answer')).toEqual([403, 403, 200])
    expect(await statuses('GET', `/poll_answer/${ids[0]}`)).toEqual([403, 403, 200])
    expect(await statuses('DELETE', `/poll_answer/${ids[0]}`)).toEqual([403, 403, 403])
    expect((await service.asExpert(administrator).delete(`/poll_answer/${ids[0]}`)).status).toBe(200)
    expect((await service.asExpert(testTechnical(service.issuer)).get('/poll_answer')).status).toBe(403)
    expect((await service.asExpert(expert).as(undefined).get('/poll_answer')).status).toBe(401)
    expect((await service.asClient(service.client()).get('/poll_answer')).status).toBe(404)
  })

  it('shows another office no answers and no results', async () => {
    const { poll, ids } = await answered({})
    const stranger = service.asExpert(service.office().administrator)
    const unknown = await stranger.get('/poll_answer/999999999')
    for (const [method, path] of [
      ['GET', `/poll_answer/${ids[0]}`],
      ['DELETE', `/poll_answer/${ids[0]}`],
      ['GET', `/poll/${poll}/results`],
    ] as const) {
      const { status, text } = await stranger.request(method, path)
      expect([status, text]).toEqual([404, unknown.text])
    }
    expect((await stranger.get('/poll_answer')).body).toEqual({ results: [] })
    expect((await stranger.get('/poll_answer', asCsv)).text.split('\r\n')).toHaveLength(2)
  })
})
