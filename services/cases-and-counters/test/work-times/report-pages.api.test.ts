import { userTopic } from '@caseway/protos/topics'
import type { HttpClient } from '@caseway/testing'
import { user } from '@caseway/testing/fake-auth'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Cases, openIssue, startCases } from '../support/cases.js'

let cases: Cases
beforeAll(async () => {
  cases = await startCases()
})
afterAll(() => cases.stop())

const days = 'date_from=2026-01-15&date_to=2026-01-16'

/** Creates an office with three people and three cases, with work for each. */
async function workedOffice(): Promise<HttpClient> {
  const office = cases.office()
  cases.auth.rights.set(office.expert.userId, ['reports.all'])
  const expert = cases.asExpert(office.expert)
  const people = [office.expert, office.specialist, office.trainee]
  const { customerId } = office
  // A higher revision than in auth, whose snapshot may be copied at any time.
  await cases.publish(userTopic, ...people.map(({ userId: id }) => user({ id, customerId, revision: 2n })))
  for (const person of people) {
    const issue_id = await openIssue(expert)
    const WorkTime = { issue_id, started: '2026-01-15 08:00:00', ended: '2026-01-15 09:00:00' }
    expect((await cases.asExpert(person).post('/work_time', { WorkTime })).status).toBe(201)
  }
  return expert
}

/** The pages of a list, by following the links to the next page. */
async function pagesOf(http: HttpClient, first: string): Promise<unknown[][]> {
  const pages: unknown[][] = []
  for (let next: string | undefined = first; next; ) {
    const { body, headers }: Awaited<ReturnType<HttpClient['get']>> = await http.get(next)
    pages.push(body as unknown[])
    next = /\/rest(\/[^>]*)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]
  }
  return pages
}

describe.each([
  ['/report', 'Report'],
  ['/report/margin', 'Margin'],
])('GET /rest%s', (path, wrapper) => {
  it('is a list in pages', async () => {
    const http = await workedOffice()
    const [whole = [], ...none] = await pagesOf(http, `${path}?${days}`)
    expect([whole.length >= 3, none]).toEqual([true, []])
    expect(whole[0]).toHaveProperty(wrapper)
    const pages = await pagesOf(http, `${path}?${days}&limit=2`)
    expect(pages.flat()).toEqual(whole)
    expect(pages.map((page) => page.length)).toEqual([...Array(Math.floor(whole.length / 2)).fill(2), ...(whole.length % 2 ? [1] : [])])
  })

  it('has no next page after a last page that is exactly full', async () => {
    const http = await workedOffice()
    const [whole = []] = await pagesOf(http, `${path}?${days}`)
    expect(await pagesOf(http, `${path}?${days}&limit=${whole.length}`)).toEqual([whole])
  })

  it('contains the total on each page, if requested', async () => {
    const http = await workedOffice()
    const [whole = []] = await pagesOf(http, `${path}?${days}`)
    const first = await http.get(`${path}?${days}&limit=2&count=1`)
    const next = /\/rest(\/[^>]*)>/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
    const answers = [first, await http.get(next), await http.get(`${path}?${days}&count=0`)]
    const total = String(whole.length)
    expect(answers.map(({ headers }) => headers.get('x-total-count'))).toEqual([total, total, null])
    expect(await http.get(`${path}?count=x`)).toMatchObject({ status: 400, body: { errorMessages: { count: 'must be 0 or 1' } } })
  })

  it.each(['0', '1001', 'x', '1.5', ''])('gets 400 for the limit "%s", together with other invalid parameters', async (limit) => {
    const answer = await (await workedOffice()).get(`${path}?limit=${limit}&cursor=x&date_from=2026-02-30`)
    const errorMessages = { limit: expect.any(String), cursor: 'is not a cursor of this list', date_from: expect.any(String) }
    expect(answer).toMatchObject({ status: 400, body: { errorMessages } })
    expect(Object.keys((answer.body as { errorMessages: object }).errorMessages)).toHaveLength(3)
  })
})
