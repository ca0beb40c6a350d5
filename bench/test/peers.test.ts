import { casesAndCounters } from '@caseway/cases-and-counters/wiring'
import { type HttpClient, httpClient, type TestTenant } from '@caseway/testing'
import { type TestService, testService } from '@caseway/testing/service'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Program, startProgram } from '../src/platform/program.js'

let service: TestService
let office: TestTenant
let ours: HttpClient
const programs: Program[] = []
const peers: Record<string, HttpClient> = {}

beforeAll(async () => {
  service = await testService(casesAndCounters)
  office = service.office()
  ours = service.asExpert(office.expert)
  const env = { DATABASE_URL: service.database.ownerUrl, POOL_MAX: '2', CUSTOMER_ID: String(office.customerId) }
  await service.database.rows('CREATE SEQUENCE bench_numbers START 1000000')
  for (const name of ['tags', 'counters', 'cases', 'sentences', 'reports', 'nest']) {
    const program = await startProgram(name, new URL(`../dist/peers/${name}.js`, import.meta.url), env)
    programs.push(program)
    peers[name] = httpClient(`${program.url}/rest`)
  }
}, 60_000)
afterAll(async () => {
  for (const program of programs) program.stop()
  await service.stop()
})

const peer = (name: string) => peers[name] as HttpClient
const caller = ({ customerId, expert } = office) => `customer_id=${customerId}&user_id=${expert.userId}`

type Answer = { Tag: Record<string, unknown> }
/** Without times, because peers do not convert them to the zone of the office. */
const untimed = ({ Tag: { created, modified, ...tag } }: Answer) => {
  expect([typeof created, typeof modified]).toEqual(['string', 'string'])
  return { Tag: tag }
}

describe('the peers answer as the service does', () => {
  it.each(['tags', 'nest'])('%s: a tag, and a list of tags', async (name) => {
    const { body } = await ours.post<{ id: number }>('/tag', { Tag: { name: 'First', issue: '1' } })
    await ours.post('/tag', { Tag: { name: 'Second', color_text: 'ffffff' } })
    const one = `/tag/${body.id}`
    expect(untimed((await peer(name).get<Answer>(`${one}?${caller()}`)).body)).toEqual(untimed((await ours.get<Answer>(one)).body))
    const list = await peer(name).get<Answer[]>(`/tag?limit=2&${caller()}`)
    expect(list.body.map(untimed)).toEqual((await ours.get<Answer[]>('/tag?limit=2')).body.map(untimed))
  })

  it.each(['counters', 'nest'])('%s: the counters', async (name) => {
    for (const fields of [{}, { user_id: String(office.expert.userId) }]) await ours.post('/issue', { Issue: { subject: 'A', ...fields } })
    const { body } = await ours.get<{ Counter: { Issue: { my: number } } }>('/counter')
    expect(body.Counter.Issue.my).toBeGreaterThan(0)
    expect((await peer(name).get(`/counter?${caller()}`)).body).toEqual(body)
  })

  it.each(['cases', 'nest'])('%s: a new case', async (name) => {
    const { status, headers, body } = await peer(name).post<{ id: number }>(`/issue?${caller()}`, {
      Issue: { subject: 'New', priority: 3 },
    })
    expect([status, headers.get('location')]).toEqual([201, `/rest/issue/${body.id}`])
    const rows = await service.database.rows('SELECT customer_id, subject, status, priority FROM issues WHERE id = $1', [body.id])
    expect(rows).toEqual([{ customer_id: String(office.customerId), subject: 'New', status: 'new', priority: 3 }])
    expect((await peer(name).post(`/issue?${caller()}`, { Issue: {} })).status).toBe(400)
  })
})

interface Sentence {
  IssueSentence: Record<string, unknown>
}
interface Report {
  Report: Record<string, string>
}

describe('the peers of sentences answer as the service does', () => {
  let issue: number
  beforeAll(async () => {
    const Issue = { subject: 'A question', user_id: String(office.expert.userId) }
    issue = (await ours.post<{ id: number }>('/issue', { Issue })).body.id
    await ours.post('/issue_sentence', { IssueSentence: { issue_id: issue, body: 'Here' } })
  })

  it('sentences: those of a case', async () => {
    const untimed = ({ IssueSentence: { created: _, modified: __, ...sentence } }: Sentence) => sentence
    const list = `/issue_sentence?limit=25&issue_id=${issue}`
    const { body } = await peer('sentences').get<Sentence[]>(`${list}&${caller()}`)
    expect(body).toHaveLength(1)
    expect(body.map(untimed)).toEqual((await ours.get<Sentence[]>(list)).body.map(untimed))
  })

  it('sentences: a new comment', async () => {
    const { status, body } = await peer('sentences').post<{ id: number }>('/comment', {
      Comment: { issue_id: String(issue), body: 'Look' },
    })
    const rows = await service.database.rows('SELECT customer_id, issue_id, body FROM comments WHERE id = $1', [body.id])
    expect([status, rows]).toEqual([201, [{ customer_id: String(office.customerId), issue_id: String(issue), body: 'Look' }]])
  })

  it('reports: the sums of a period', async () => {
    const period = 'date_from=2020-01-01&date_to=2100-01-01'
    const { body } = await peer('reports').get<Report[]>(`/report?${period}&${caller()}`)
    expect(body).toEqual([{ Report: expect.objectContaining({ id: String(office.expert.userId), sentences: '1', issues: '1' }) }])
    const whole = (await ours.get<Report[]>(`/report?${period}`)).body.find(({ Report }) => Report.id === body[0]?.Report.id)
    expect(whole).toMatchObject(body[0] ?? {})
  })
})

it('NestJS with Prisma shows an office no tag of another one', async () => {
  const { body } = await ours.post<{ id: number }>('/tag', { Tag: { name: 'Ours' } })
  const other = caller(service.office())
  expect((await peer('nest').get(`/tag/${body.id}?${other}`)).status).toBe(404)
  expect((await peer('nest').get(`/tag?${other}`)).body).toEqual([])
})
