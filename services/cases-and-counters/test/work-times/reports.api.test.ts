import { userTopic } from '@caseway/protos/topics'
import { type HttpClient, randomId, type TestTenant } from '@caseway/testing'
import { user } from '@caseway/testing/fake-auth'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Cases, openIssue, startCases } from '../support/cases.js'

let cases: Cases
beforeAll(async () => {
  cases = await startCases()
})
afterAll(() => cases.stop())

type Report = Record<string, string>

const nothing = { issues: '0', sentences: '0', approved: '0', rejected: '0', corrected: '0', work_time: '0', work_time_extra: '0' }
const reports = async (http: HttpClient, query = '') =>
  (await http.get<{ Report: Report }[]>(`/report${query}`)).body.map(({ Report }) => Report)
const reportOf = async (http: HttpClient, { userId }: { userId: bigint }, query = '') =>
  (await http.get<{ Report: Report }>(`/report?id=${userId}${query}`)).body.Report
const say = async (http: HttpClient, issueId: number, fields: object = {}) =>
  (await http.post<{ id: number }>('/issue_sentence', { IssueSentence: { issue_id: issueId, body: 'Hello', ...fields } })).body.id
const put = (http: HttpClient, id: number, fields: object) => http.put(`/issue_sentence/${id}`, { IssueSentence: fields })
const work = (http: HttpClient, started: string, ended: string, kind = 'work') =>
  http.post('/work_time', { WorkTime: { started, ended, kind } })

/** A higher revision than in auth, whose snapshot may be copied at any time. */
const revision = 2n

/** Puts names of expert and trainee into the copy of users, and gives the expert the rights of experts. */
async function known(office: TestTenant) {
  const { customerId, expert, trainee } = office
  const named = [
    user({ id: expert.userId, customerId, revision, email: 'anna@office.example', firstname: 'Anna', lastname: 'Nowak' }),
    user({ id: trainee.userId, customerId, revision, email: 'ben@office.example', firstname: 'Ben', lastname: 'Lis' }),
  ]
  await cases.publish(userTopic, ...named)
  cases.auth.rights.set(expert.userId, ['reports.all', 'replies.approve'])
  return { office, expert, trainee, asExpert: cases.asExpert(expert), asTrainee: cases.asExpert(trainee) }
}

describe('GET /rest/report', () => {
  it('lists everybody of the office with their work of today', async () => {
    const { expert, trainee, asExpert, asTrainee } = await known(cases.office())
    await known(cases.office())
    const own = await openIssue(asExpert, { user_id: String(expert.userId) })
    const other = await openIssue(asExpert, { user_id: String(trainee.userId) })
    for (const issueId of [own, own, other]) await say(asExpert, issueId)
    const approved = await say(asTrainee, other)
    const corrected = await say(asTrainee, other)
    const rejected = await say(asTrainee, other)
    await put(asExpert, approved, { status: 'sent' })
    await put(asExpert, corrected, { status: 'sent', body: 'Hello there' })
    await put(asExpert, rejected, { status: 'rejected', reject_reason: 'Not so' })
    const people = [
      {
        ...nothing,
        id: String(expert.userId),
        email: 'anna@office.example',
        firstname: 'Anna',
        lastname: 'Nowak',
        issues: '1',
        sentences: '3',
      },
      {
        ...{ ...nothing, id: String(trainee.userId), email: 'ben@office.example', firstname: 'Ben', lastname: 'Lis' },
        ...{ issues: '1', sentences: '2', approved: '1', corrected: '1', rejected: '1' },
      },
    ]
    const byId = (a: Report, b: Report) => Number(a.id) - Number(b.id)
    const isKnown = ({ email }: Report) => email !== ''
    expect((await reports(asExpert)).filter(isKnown)).toEqual(people.sort(byId))
    const nobody = (await reports(asExpert, '?date_from=2026-01-01&date_to=2026-01-31')).filter(isKnown)
    expect(nobody.map(({ sentences, issues }) => [sentences, issues])).toEqual([
      ['0', '0'],
      ['0', '0'],
    ])
  })

  it('counts each reply once, however many approve it, and keeps the count when it is deleted', async () => {
    const { trainee, asExpert, asTrainee } = await known(cases.office())
    const issueId = await openIssue(asExpert, { user_id: String(trainee.userId) })
    const id = await say(asTrainee, issueId)
    await put(asExpert, id, { status: 'rejected', reject_reason: 'No' })
    await put(asTrainee, id, { status: 'to_review' })
    await put(asExpert, id, { status: 'rejected', reject_reason: 'No again' })
    await put(asTrainee, id, { status: 'to_review' })
    await Promise.all(Array.from({ length: 20 }, () => put(asExpert, id, { status: 'sent' })))
    await asExpert.delete(`/issue_sentence/${id}`)
    expect(await reportOf(asExpert, trainee)).toMatchObject({ issues: '1', sentences: '1', approved: '1', rejected: '1', corrected: '0' })
  })

  it('counts by the days of the office', async () => {
    for (const zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      const { office, asExpert, expert } = await known(await cases.officeIn(zone))
      await say(asExpert, await openIssue(asExpert, { user_id: String(expert.userId) }))
      const [row] = await cases.database.rows(
        'SELECT day::text, (now() AT TIME ZONE $2)::date::text AS today FROM report_days WHERE customer_id = $1',
        [office.customerId, zone],
      )
      expect(row?.day).toBe(row?.today)
      expect(await reportOf(asExpert, expert)).toMatchObject({ sentences: '1', issues: '1' })
      expect(await reportOf(asExpert, expert, `&date_from=${row?.day}&date_to=${row?.day}`)).toMatchObject({ sentences: '1' })
    }
  })

  it('lists deactivated people while they have something to report', async () => {
    const { office, trainee, expert, asExpert, asTrainee } = await known(cases.office())
    await work(asTrainee, '2026-01-15 08:00:00', '2026-01-15 09:00:00')
    await cases.publish(userTopic, user({ id: trainee.userId, customerId: office.customerId, active: false, revision: revision + 1n }))
    const idsOf = async (query: string) => (await reports(asExpert, query)).map(({ id }) => id)
    expect(await idsOf('')).toContain(String(expert.userId))
    expect(await idsOf('')).not.toContain(String(trainee.userId))
    expect(await idsOf('?date_from=2026-01-15&date_to=2026-01-15')).toContain(String(trainee.userId))
  })

  it('counts over all possible days', async () => {
    const { expert, asExpert } = await known(await cases.officeIn('Pacific/Kiritimati'))
    await work(asExpert, '2026-01-15 08:00:00', '2026-01-15 09:00:00')
    expect(await reportOf(asExpert, expert, '&date_from=0001-01-01&date_to=9999-12-31')).toMatchObject({ work_time: '3600' })
  })

  it.each([
    ['?date_from=2026-02-30', { date_from: expect.any(String) }],
    ['?date_from=yesterday&date_to=1', { date_from: expect.any(String), date_to: expect.any(String) }],
    ['?date_from=2026-02-02&date_to=2026-02-01', { date_to: 'must not be before date_from' }],
    ['?date_from=2999-01-01', { date_from: 'must not be in the future' }],
    ['?date_to=2000-01-01', { date_to: 'must not be before date_from' }],
    ['?id=x', { id: 'must be an id' }],
    ['?id=x&date_to=1&day=1', { id: 'must be an id', date_to: expect.any(String), day: 'is unknown' }],
  ])('names what is wrong in %s', async (query, errorMessages) => {
    const { status, body } = await cases.asExpert(cases.office().expert).get(`/report${query}`)
    expect([status, body]).toEqual([400, { status: 'error', errorMessages }])
  })
})

describe('without the right reports.all', () => {
  it('people see their own report', async () => {
    const { trainee, expert, asTrainee } = await known(cases.office())
    expect((await reports(asTrainee)).map(({ id }) => id)).toEqual([String(trainee.userId)])
    expect(await reportOf(asTrainee, trainee)).toMatchObject({ firstname: 'Ben' })
    const [colleague, nobody] = [await asTrainee.get(`/report?id=${expert.userId}`), await asTrainee.get(`/report?id=${randomId()}`)]
    expect([colleague.status, nobody.text]).toEqual([403, colleague.text])
  })
})

it('a person of another office gets the same 404 as an unknown id', async () => {
  const [ours, theirs] = [await known(cases.office()), await known(cases.office())]
  const foreign = await ours.asExpert.get(`/report?id=${theirs.expert.userId}`)
  const nobody = await ours.asExpert.get(`/report?id=${randomId()}`)
  expect([foreign.status, foreign.text]).toEqual([404, nobody.text])
})

describe('work times', () => {
  it('count the part within the days, by kind', async () => {
    const { expert, asExpert } = await known(await cases.officeIn('Europe/Warsaw'))
    await work(asExpert, '2026-01-14 22:00:00', '2026-01-15 01:00:00')
    await work(asExpert, '2026-01-15 08:00:00', '2026-01-15 08:30:00', 'extra')
    await work(asExpert, '2026-01-15 23:00:00', '2026-01-16 02:00:00')
    const on = (from: string, to = from) => reportOf(asExpert, expert, `&date_from=2026-01-${from}&date_to=2026-01-${to}`)
    expect(await on('14')).toMatchObject({ work_time: '7200', work_time_extra: '0' })
    expect(await on('15')).toMatchObject({ work_time: '7200', work_time_extra: '1800' })
    expect(await on('16')).toMatchObject({ work_time: '7200' })
    expect(await on('14', '16')).toMatchObject({ work_time: '21600', work_time_extra: '1800' })
  })

  it('count on their days in a time zone whose name means another one to PostgreSQL', async () => {
    const { expert, asExpert } = await known(await cases.officeIn('CET'))
    await work(asExpert, '2026-07-01 23:30:00', '2026-07-02 00:10:00')
    const on = (day: string) => reportOf(asExpert, expert, `&date_from=${day}&date_to=${day}`)
    expect([await on('2026-07-01'), await on('2026-07-02')]).toMatchObject([{ work_time: '1800' }, { work_time: '600' }])
  })

  it.each([
    ['Europe/Warsaw', '2025-10-26', '2025-10-27', 25],
    ['Europe/Warsaw', '2026-03-29', '2026-03-30', 23],
    ['America/New_York', '2025-11-02', '2025-11-03', 25],
    ['America/New_York', '2026-03-08', '2026-03-09', 23],
    // Zones in which midnight occurs twice, or not at all.
    ['Atlantic/Azores', '2025-10-26', '2025-10-27', 25],
    ['Africa/Cairo', '2026-04-24', '2026-04-25', 23],
    // Clocks go forward to midnight, and over a whole day.
    ['America/Nuuk', '2026-03-28', '2026-03-29', 23],
    ['America/Nuuk', '2026-03-29', '2026-03-30', 24],
    ['Pacific/Apia', '2011-12-31', '2012-01-01', 24],
  ])('of %s, the whole day %s, on which clocks change, has its hours', async (zone, day, next, hours) => {
    const { expert, asExpert } = await known(await cases.officeIn(zone))
    expect((await work(asExpert, `${day} 00:00:00`, `${day} 12:00:00`)).status).toBe(201)
    expect((await work(asExpert, `${day} 12:00:00`, `${next} 12:00:00`)).status).toBe(201)
    expect(await reportOf(asExpert, expert, `&date_from=${day}&date_to=${day}`)).toMatchObject({ work_time: String(hours * 3600) })
  })
})

describe('GET /rest/report/{id}', () => {
  it('is the caller’s work of today, including a running timer, whatever the id', async () => {
    const { trainee, asExpert, asTrainee } = await known(await cases.officeIn('UTC'))
    await asTrainee.post('/work_time/start', { WorkTime: {} })
    await cases.database.rows(
      "UPDATE work_times SET started = greatest(date_trunc('day', now()), started - interval '2 hours') WHERE user_id = $1",
      [trainee.userId],
    )
    const [since] = await cases.database.rows<{ seconds: number }>(
      'SELECT floor(extract(epoch FROM now() - started))::int AS seconds FROM work_times WHERE user_id = $1',
      [trainee.userId],
    )
    const { status, body } = await asTrainee.get<{ Report: { work_time: string } }>(`/report/${randomId()}`)
    expect([status, Object.keys(body.Report)]).toEqual([200, ['work_time']])
    expect(Number(body.Report.work_time) - (since?.seconds ?? 0)).toBeLessThan(30)
    expect(Number(body.Report.work_time)).toBeGreaterThanOrEqual(since?.seconds ?? 0)
    expect((await asExpert.get(`/report/${trainee.userId}`)).body).toEqual({ Report: { work_time: '0' } })
  })
})
