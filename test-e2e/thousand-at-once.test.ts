import { registry } from '@caseway/registry'
import type { HttpAnswer, HttpClient } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Demo } from '../deploy/local/src/demo/demo-file.js'
import { rowsOf } from './support/databases.js'
import { signIn, signInAs } from './support/people.js'
import { type Launcher, launch, temporaryHome } from './support/platform.js'

const { home, remove } = temporaryHome()
let launcher: Launcher
let demo: Demo
let expert: HttpClient
let client: HttpClient
let clientId: string

beforeAll(async () => {
  launcher = launch(home)
  demo = await launcher.ready()
  expert = (await signInAs(demo, 'expert')).api
  const [person] = demo.clients
  if (!person) throw new Error('The demo has clients.')
  clientId = person.user_id
  client = (await signIn(demo.client_base_url, demo.client_id, person)).api
})
afterAll(async () => {
  await launcher?.stop()
  remove()
})

type Answers = readonly HttpAnswer<unknown>[]

const atOnce = (request: (number: number) => Promise<HttpAnswer<unknown>>): Promise<Answers> =>
  Promise.all(Array.from({ length: 1_000 }, (_, number) => request(number)))

/** The number of answers with one of these statuses. All others must be refusals by a limit, with Retry-After. */
function answered(answers: Answers, ...statuses: number[]): number {
  const others = answers.filter(({ status }) => !statuses.includes(status))
  expect(others.filter(({ status }) => status !== 429 && status !== 503).map(({ status }) => status)).toEqual([])
  expect(others.filter(({ headers }) => !headers.get('retry-after'))).toEqual([])
  return answers.length - others.length
}

const created = async (api: HttpClient, path: string, body: object) => String((await api.post<{ id: number }>(path, body)).body.id)
const openCase = () => created(expert, '/issue', { Issue: { subject: 'A question', user_client_id: clientId } })

const countOf = async (service: string, from: string): Promise<number> => {
  const [found] = await rowsOf<{ count: number }>(home, service, `SELECT count(*)::int AS count FROM ${from}`)
  return found?.count ?? 0
}
const cases = registry.casesAndCounters.name

describe('a thousand at once', () => {
  it('who write a sentence in a case: every acknowledged one exists, and no caller exceeds their share', async () => {
    const issue = await openCase()
    const answers = await atOnce(() => expert.post('/issue_sentence', { IssueSentence: { issue_id: issue, body: 'Here' } }))
    const made = answered(answers, 201)
    expect(made).toBeGreaterThan(0)
    expect(answers.some(({ status }) => status === 429)).toBe(true)
    expect(await countOf(cases, `issue_sentences WHERE issue_id = ${issue}`)).toBe(made)
    const { body } = await expert.get<{ Report: { sentences: string } }>(`/report?id=${demo.offices[0]?.accounts.expert.user_id}`)
    expect(body.Report.sentences).toBe(String(made))
  })

  it('who start a timer: one runs', async () => {
    const answers = await atOnce(() => expert.post('/work_time/start', { WorkTime: {} }))
    expect(answered(answers, 201, 409)).toBeGreaterThan(0)
    expect(await countOf(cases, 'work_times WHERE ended IS NULL')).toBe(1)
  })

  it('who choose an offer: one is chosen', async () => {
    const issue = await openCase()
    const offers: string[] = []
    for (let made = 0; made < 4; made++) {
      offers.push(await created(expert, '/issue_payment_offer', { IssuePaymentOffer: { issue_id: issue, amount: '1.00' } }))
    }
    const answers = await atOnce((number) =>
      client.put(`/issue_payment_offer/${offers[number % offers.length]}`, { IssuePaymentOffer: { is_chosen: 1 } }),
    )
    expect(answered(answers, 200)).toBeGreaterThan(0)
    expect(await countOf(cases, `issue_payment_offers WHERE issue_id = ${issue} AND is_chosen`)).toBe(1)
  })

  it('who comment on a case: every acknowledged comment exists', async () => {
    const issue = await openCase()
    const made = answered(await atOnce(() => expert.post('/comment', { Comment: { issue_id: issue, body: 'Look' } })), 201)
    expect(made).toBeGreaterThan(0)
    expect(await countOf(cases, `comments WHERE issue_id = ${issue}`)).toBe(made)
  })

  it('who put a colleague into a group: they are in it once', async () => {
    const group = await created(expert, '/group', { Group: { name: 'Accounts' } })
    const UserGroup = { user_id: demo.offices[0]?.accounts.trainee.user_id, group_id: group }
    expect(answered(await atOnce(() => expert.post('/group/user_group', { UserGroup })), 200, 201, 409)).toBeGreaterThan(0)
    expect(await countOf('auth', `user_groups WHERE group_id = ${group}`)).toBe(1)
  })

  it('leave a platform that answers', async () => {
    expect((await expert.get('/counter')).status).toBe(200)
    expect((await client.get('/issue')).status).toBe(200)
  })
})
