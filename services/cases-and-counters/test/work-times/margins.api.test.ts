import { linkTopic } from '@caseway/protos/topics'
import { eventually, type HttpClient, type TestTenant } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Cases, openIssue, startCases } from '../support/cases.js'

let cases: Cases
beforeAll(async () => {
  cases = await startCases()
})
afterAll(() => cases.stop())

type Margin = Record<string, string | null>

const marginOf = async (http: HttpClient, id: number) => (await http.get<{ Margin: Margin }>(`/issue/${id}/margin`)).body.Margin
const report = async (http: HttpClient, from: string, to = from) =>
  (await http.get<{ Margin: Margin }[]>(`/report/margin?date_from=${from}&date_to=${to}`)).body.map(({ Margin }) => Margin)
const work = async (http: HttpClient, fields: object) => (await http.post<{ id: number }>('/work_time', { WorkTime: fields })).body.id

/** Creates a case with a client in an office. */
async function withCase(office: TestTenant = cases.office()) {
  const client = cases.client(office)
  await cases.publish(linkTopic, ...cases.auth.links.filter(({ clientId }) => clientId === client.userId))
  const expert = cases.asExpert(office.expert)
  const id = await openIssue(expert, { user_client_id: String(client.userId) })
  const offer = async (fields: object) => {
    const body = { IssuePaymentOffer: { issue_id: id, amount: '1000.00', man_hours: 8, work_time: 20, ...fields } }
    return (await expert.post<{ id: number }>('/issue_payment_offer', body)).body.id
  }
  const choose = (offer: number) => cases.asClient(client).put(`/issue_payment_offer/${offer}`, { IssuePaymentOffer: { is_chosen: 1 } })
  return { office, expert, id, offer, choose }
}

describe('GET /rest/issue/{id}/margin', () => {
  it('compares the chosen offer with all work of the case', async () => {
    const { office, expert, id, offer, choose } = await withCase()
    await offer({ amount: '1.00' })
    const chosen = await offer({ amount: '1000.00' })
    await choose(chosen)
    await work(expert, { issue_id: id, started: '2026-01-15 08:00:00', ended: '2026-01-15 10:00:00' })
    await work(cases.asExpert(office.trainee), {
      issue_id: id,
      started: '2026-01-15 08:00:00',
      ended: '2026-01-15 09:00:00',
      kind: 'extra',
    })
    await work(expert, { started: '2026-01-15 11:00:00', ended: '2026-01-15 12:00:00' })
    expect(await marginOf(expert, id)).toEqual({
      ...{ issue_id: String(id), number: '1', subject: 'A question', issue_payment_offer_id: String(chosen), amount: '1000.00' },
      ...{ planned: String(8 * 3600), spent: String(3 * 3600), left: String(5 * 3600), effective_hourly_rate: '333.33' },
    })
  })

  it('has null where nothing is chosen, planned or worked', async () => {
    const { expert, id, offer, choose } = await withCase()
    const none = { issue_payment_offer_id: null, amount: null, planned: null, left: null, effective_hourly_rate: null }
    expect(await marginOf(expert, id)).toMatchObject({ ...none, spent: '0' })
    const unplanned = await offer({ amount: '9999999999.99', man_hours: 0, work_time: 0 })
    expect(await marginOf(expert, id)).toMatchObject(none)
    await choose(unplanned)
    expect(await marginOf(expert, id)).toMatchObject({ amount: '9999999999.99', planned: '0', left: '0', effective_hourly_rate: null })
    await work(expert, { issue_id: id, started: '2026-01-15 08:00:00', ended: '2026-01-15 08:00:01' })
    expect(await marginOf(expert, id)).toMatchObject({ spent: '1', left: '-1', effective_hourly_rate: '35999999999964.00' })
  })

  it('takes the working time as planned if the offer has no man-hours, without an overflow', async () => {
    const { expert, id, offer, choose } = await withCase()
    await choose(await offer({ man_hours: 0, work_time: 20 }))
    expect(await marginOf(expert, id)).toMatchObject({ planned: String(20 * 3600) })
    await choose(await offer({ man_hours: 2 ** 31 - 1 }))
    expect(await marginOf(expert, id)).toMatchObject({ planned: String((2 ** 31 - 1) * 3600) })
  })

  it('follows each change of a work time and of the choice', async () => {
    const { expert, id, offer, choose } = await withCase()
    const other = await openIssue(expert)
    const chosen = await offer({})
    await choose(chosen)
    const entry = await work(expert, { issue_id: id, started: '2026-01-15 08:00:00', ended: '2026-01-15 10:00:00' })
    const change = (fields: object) => expert.put(`/work_time/${entry}`, { WorkTime: fields })
    await change({ ended: '2026-01-15 09:00:00' })
    expect(await marginOf(expert, id)).toMatchObject({ spent: '3600', effective_hourly_rate: '1000.00' })
    await change({ issue_id: other })
    expect([await marginOf(expert, id), await marginOf(expert, other)]).toMatchObject([{ spent: '0' }, { spent: '3600' }])
    await expert.delete(`/work_time/${entry}`)
    expect(await marginOf(expert, other)).toMatchObject({ spent: '0' })
    await expert.put(`/issue_payment_offer/${chosen}`, { IssuePaymentOffer: { amount: '5.00' } })
    expect(await marginOf(expert, id)).toMatchObject({ amount: null, planned: null })
  })

  it('counts a timer once it has stopped, also by the job', async () => {
    const { office, expert, id } = await withCase()
    const timer = async (since: string) => {
      const { body } = await expert.post<{ id: number }>('/work_time/start', { WorkTime: { issue_id: id } })
      await cases.database.rows(`UPDATE work_times SET started = now() - interval '${since}' WHERE id = $1`, [body.id])
    }
    await timer('1 hour')
    expect(await marginOf(expert, id)).toMatchObject({ spent: '0' })
    await expert.post('/work_time/stop')
    const spent = Number((await marginOf(expert, id)).spent)
    expect(Math.abs(spent - 3600)).toBeLessThan(60)
    await cases.database.rows(
      `UPDATE work_times SET started = started - interval '2 days', ended = ended - interval '2 days' WHERE customer_id = $1`,
      [office.customerId],
    )
    await timer('13 hours')
    await cases.database.rows("UPDATE kit.schedule SET next = now() WHERE name = 'stop-forgotten-timers'")
    await eventually(async () => expect(Number((await marginOf(expert, id)).spent)).toBe(spent + 12 * 3600))
  })

  it('is for administrators and experts, and 404 for a case of another office', async () => {
    const { office, id } = await withCase()
    const other = cases.office()
    for (const [person, status] of [
      [office.administrator, 200],
      [office.specialist, 403],
      [office.trainee, 403],
      [other.expert, 404],
    ] as const) {
      expect((await cases.asExpert(person).get(`/issue/${id}/margin`)).status).toBe(status)
    }
    for (const person of [office.specialist, office.trainee]) expect((await cases.asExpert(person).get('/report/margin')).status).toBe(403)
  })
})

describe('GET /rest/report/margin', () => {
  it('lists the cases with work on these days, with all of their work', async () => {
    const { expert, id, offer, choose } = await withCase()
    const [second, third] = [await openIssue(expert), await openIssue(expert)]
    await choose(await offer({}))
    await work(expert, { issue_id: id, started: '2026-01-15 23:00:00', ended: '2026-01-16 01:00:00' })
    await work(expert, { issue_id: second, started: '2026-01-16 08:00:00', ended: '2026-01-16 08:30:00' })
    await work(expert, { issue_id: third, started: '2026-01-17 08:00:00', ended: '2026-01-17 08:30:00' })
    const [first, other, ...none] = await report(expert, '2026-01-16')
    expect([first, other, none]).toMatchObject([
      { issue_id: String(id), spent: '7200', spent_in_period: '3600', effective_hourly_rate: '500.00' },
      { issue_id: String(second), spent: '1800', spent_in_period: '1800', amount: null },
      [],
    ])
    expect((await report(expert, '2026-01-15', '2026-01-17')).map(({ spent_in_period }) => spent_in_period)).toEqual([
      '7200',
      '1800',
      '1800',
    ])
    expect(await report(expert, '2026-01-18')).toEqual([])
  })

  it('counts by the days of the office, also when its clocks change', async () => {
    const { expert, id } = await withCase(await cases.officeIn('America/New_York'))
    // The night with a repeated hour, and the one with a missing hour.
    await work(expert, { issue_id: id, started: '2025-11-01 23:00:00', ended: '2025-11-02 04:00:00' })
    await work(expert, { issue_id: id, started: '2026-03-07 23:00:00', ended: '2026-03-08 04:00:00' })
    const inPeriod = async (day: string) => (await report(expert, day)).map(({ spent_in_period }) => Number(spent_in_period) / 3600)
    expect([await inPeriod('2025-11-01'), await inPeriod('2025-11-02')]).toEqual([[1], [5]])
    expect([await inPeriod('2026-03-07'), await inPeriod('2026-03-08')]).toEqual([[1], [3]])
    expect(await marginOf(expert, id)).toMatchObject({ spent: String(10 * 3600) })
  })

  it('begins a day with the first of its two midnights', async () => {
    const { expert, id } = await withCase(await cases.officeIn('Atlantic/Azores'))
    const midnights = { issue_id: id, started: '2025-10-26T00:10:00Z', ended: '2025-10-26T01:10:00Z' }
    await work(expert, midnights)
    expect(await marginOf(expert, id)).toMatchObject({ spent: '3600' })
    const inPeriod = async (day: string) => (await report(expert, day)).map(({ spent_in_period }) => spent_in_period)
    expect([await inPeriod('2025-10-25'), await inPeriod('2025-10-26')]).toEqual([[], ['3600']])
  })

  it.each([
    ['America/Nuuk', '2026-03-29T00:10:00Z', '2026-03-29T01:40:00Z', { '2026-03-28': '3000', '2026-03-29': '2400' }],
    [
      'Pacific/Apia',
      '2011-12-30T09:10:00Z',
      '2011-12-30T10:40:00Z',
      { '2011-12-29': '3000', '2011-12-30': undefined, '2011-12-31': '2400' },
    ],
  ])('ends a day where clocks go forward to another one: %s', async (zone, started, ended, days) => {
    const { expert, id } = await withCase(await cases.officeIn(zone))
    await work(expert, { issue_id: id, started, ended })
    for (const [day, seconds] of Object.entries(days)) expect((await report(expert, day))[0]?.spent_in_period).toBe(seconds)
    expect(await marginOf(expert, id)).toMatchObject({ spent: '5400' })
  })

  it('knows the days of a time zone whose name means another one to PostgreSQL', async () => {
    const { expert, id } = await withCase(await cases.officeIn('CET'))
    await work(expert, { issue_id: id, started: '2026-07-01 23:30:00', ended: '2026-07-02 00:10:00' })
    const inPeriod = async (day: string) => (await report(expert, day)).map(({ spent_in_period }) => spent_in_period)
    expect([await inPeriod('2026-07-01'), await inPeriod('2026-07-02')]).toEqual([['1800'], ['600']])
  })

  it('gets 400 for invalid days', async () => {
    const { expert } = await withCase()
    const wrong = await expert.get('/report/margin?date_from=2026-02-30&date_to=x')
    expect(wrong).toMatchObject({ status: 400, body: { errorMessages: { date_from: expect.any(String), date_to: expect.any(String) } } })
    expect(await expert.get('/report/margin?date_from=2026-02-02&date_to=2026-02-01')).toMatchObject({
      ...{ status: 400, body: { errorMessages: { date_to: 'must not be before date_from' } } },
    })
  })
})
