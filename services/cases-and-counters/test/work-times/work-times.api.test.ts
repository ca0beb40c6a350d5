import { eventually, type HttpClient, type Person, randomId } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Cases, expertUrl, openIssue, startCases } from '../support/cases.js'

let cases: Cases
beforeAll(async () => {
  cases = await startCases()
})
afterAll(() => cases.stop())

type WorkTime = Record<string, string | null>

const read = async (http: HttpClient, id: number) => (await http.get<{ WorkTime: WorkTime }>(`/work_time/${id}`)).body.WorkTime
const post = (http: HttpClient, fields: Record<string, unknown>) => http.post<{ id: number }>('/work_time', { WorkTime: fields })
const start = (http: HttpClient, fields: Record<string, unknown> = {}) =>
  http.post<{ id: number }>('/work_time/start', { WorkTime: fields })
const stop = (http: HttpClient) => http.post('/work_time/stop')

const morning = { started: '2026-01-15 08:00:00', ended: '2026-01-15 09:30:00' }
const refusedWith = (errorCode: string) => expect.objectContaining({ status: 'error', errorCode })

describe('POST /rest/work_time', () => {
  it('creates an interval of the caller', async () => {
    const { customerId, trainee } = cases.office()
    const http = cases.asExpert(trainee)
    const issueId = await openIssue(http)
    const { status, body, headers } = await post(http, {
      ...morning,
      issue_id: issueId,
      kind: 'extra',
      user_id: 1,
      seconds: 5,
      forgotten: 1,
    })
    expect(status).toBe(201)
    expect(headers.get('location')).toBe(`${expertUrl}/rest/work_time/${body.id}`)
    expect(await read(http, body.id)).toEqual({
      ...{ id: String(body.id), customer_id: String(customerId), user_id: String(trainee.userId), issue_id: String(issueId) },
      ...{ ...morning, seconds: '5400', kind: 'extra', forgotten: '0', created: expect.any(String), modified: expect.any(String) },
    })
  })

  it('counts the hour that the clocks of the office repeat', async () => {
    const office = await cases.officeIn('Europe/Warsaw')
    const http = cases.asExpert(office.expert)
    const { body } = await post(http, { started: '2025-10-26 01:00:00', ended: '2025-10-26 04:00:00' })
    expect(await read(http, body.id)).toMatchObject({ seconds: String(4 * 3600) })
  })

  it('refuses a case of another office like one that does not exist', async () => {
    const http = cases.asExpert(cases.office().expert)
    const foreign = await post(http, { ...morning, issue_id: await openIssue(cases.asExpert(cases.office().expert)) })
    const unknown = await post(http, { ...morning, issue_id: String(randomId()) })
    expect(foreign.body).toEqual({ status: 'error', errorMessages: { issue_id: 'does not exist' } })
    expect([foreign.status, unknown.text]).toEqual([400, foreign.text])
  })

  it('refuses an interval that overlaps with another one of the same person', async () => {
    const { expert, trainee } = cases.office()
    const http = cases.asExpert(expert)
    await post(http, morning)
    const within = { started: '2026-01-15 09:00:00', ended: '2026-01-15 09:10:00' }
    expect(await post(http, within)).toMatchObject({ status: 409, body: refusedWith('WORK_TIME_OVERLAP') })
    expect((await post(http, { started: morning.ended, ended: '2026-01-15 10:00:00' })).status).toBe(201)
    expect((await post(cases.asExpert(trainee), within)).status).toBe(201)
  })

  it('accepts one of 50 concurrent requests', async () => {
    const { expert } = cases.office()
    const http = cases.asExpert(expert)
    const answers = await Promise.all(Array.from({ length: 50 }, () => post(http, morning)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 49 }, () => 409)])
    expect(await cases.database.rows('SELECT FROM work_times WHERE user_id = $1', [expert.userId])).toHaveLength(1)
  })
})

describe('the timer', () => {
  it('starts for a case, and ends when it is stopped', async () => {
    const http = cases.asExpert(cases.office().expert)
    const issueId = await openIssue(http)
    const { status, body, headers } = await start(http, { issue_id: issueId })
    expect([status, headers.get('location')]).toEqual([201, `${expertUrl}/rest/work_time/${body.id}`])
    expect(await read(http, body.id)).toMatchObject({ issue_id: String(issueId), kind: 'work', ended: null, seconds: null })
    expect(await stop(http)).toMatchObject({ status: 200, body: { status: 'OK' } })
    expect(await read(http, body.id)).toMatchObject({ ended: expect.any(String), seconds: expect.stringMatching(/^\d+$/), forgotten: '0' })
    expect((await start(http)).status).toBe(201)
  })

  it('runs once: another start is refused until the stop, and so is a second stop', async () => {
    const http = cases.asExpert(cases.office().expert)
    const answers = await Promise.all(Array.from({ length: 20 }, () => start(http)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.find(({ status }) => status !== 201)).toMatchObject({ status: 409, body: refusedWith('TIMER_RUNNING') })
    const stops = await Promise.all(Array.from({ length: 20 }, () => stop(http)))
    expect(stops.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(stops.find(({ status }) => status !== 200)).toMatchObject({ status: 409, body: refusedWith('TIMER_NOT_RUNNING') })
  })

  it('does not start before an entered interval has ended, even if no other timer runs', async () => {
    const { expert } = cases.office()
    const http = cases.asExpert(expert)
    const { id } = (await post(http, morning)).body
    await cases.database.rows("UPDATE work_times SET ended = now() + interval '1 hour' WHERE id = $1", [id])
    expect(await start(http)).toMatchObject({ status: 409, body: refusedWith('WORK_TIME_OVERLAP') })
    expect(await stop(http)).toMatchObject({ status: 409, body: refusedWith('TIMER_NOT_RUNNING') })
  })

  it('does not change when it is sent back as it was read, however short it is', async () => {
    const { expert } = cases.office()
    const http = cases.asExpert(expert)
    const stored = () =>
      cases.database.rows('SELECT started::text, ended::text FROM work_times WHERE user_id = $1 ORDER BY id', [expert.userId])
    const { body } = await start(http)
    await stop(http)
    await start(http)
    await stop(http)
    const before = await stored()
    expect((await http.put(`/work_time/${body.id}`, { WorkTime: await read(http, body.id) })).status).toBe(200)
    expect(await stored()).toEqual(before)
  })

  it('keeps running while its case and kind change, and refuses overlapping intervals', async () => {
    const http = cases.asExpert(cases.office().expert)
    const { body } = await start(http)
    const { started } = await read(http, body.id)
    expect((await http.put(`/work_time/${body.id}`, { WorkTime: { kind: 'extra', started, ended: null } })).status).toBe(200)
    expect(await read(http, body.id)).toMatchObject({ kind: 'extra', started, ended: null })
    await cases.database.rows("UPDATE work_times SET started = started - interval '2 hours' WHERE id = $1", [body.id])
    const before = await read(http, body.id)
    await stop(http)
    expect(await post(http, { started: before.started, ended: before.started })).toMatchObject({ status: 400 })
    expect(await read(http, body.id)).toMatchObject({ seconds: expect.stringMatching(/^72\d\d$/) })
  })

  it('that nobody stops ends after twelve hours, and is marked until its end is corrected', async () => {
    const http = cases.asExpert(cases.office().expert)
    const [forgotten, fresh] = [(await start(http)).body.id, (await start(cases.asExpert(cases.office().expert))).body.id]
    await cases.database.rows("UPDATE work_times SET started = now() - interval '13 hours' WHERE id = $1", [forgotten])
    await cases.database.rows("UPDATE work_times SET started = now() - interval '11 hours' WHERE id = $1", [fresh])
    await cases.database.rows("UPDATE kit.schedule SET next = now() WHERE name = 'stop-forgotten-timers'")
    await eventually(async () => expect(await read(http, forgotten)).toMatchObject({ seconds: String(12 * 3600), forgotten: '1' }))
    expect(await cases.database.rows('SELECT ended, forgotten FROM work_times WHERE id = $1', [fresh])).toEqual([
      { ended: null, forgotten: false },
    ])
    await http.put(`/work_time/${forgotten}`, { WorkTime: { kind: 'extra' } })
    expect(await read(http, forgotten)).toMatchObject({ kind: 'extra', forgotten: '1' })
    const { started } = await read(http, forgotten)
    const [{ ended } = { ended: '' }] = await cases.database.rows<{ ended: string }>(
      "SELECT to_char(($1::timestamp + interval '1 hour'), 'YYYY-MM-DD HH24:MI:SS') AS ended",
      [started],
    )
    expect((await http.put(`/work_time/${forgotten}`, { WorkTime: { ended } })).status).toBe(200)
    expect(await read(http, forgotten)).toMatchObject({ ended, seconds: '3600', forgotten: '0' })
  })
})

it('a timer that is stopped after more than twelve hours ends after twelve hours as well', async () => {
  const http = cases.asExpert(cases.office().expert)
  const { id } = (await start(http)).body
  expect(await http.put(`/work_time/${id}`, { WorkTime: { started: '2026-01-15 08:00:00' } })).toMatchObject({
    status: 400,
    body: { errorMessages: { started: 'must be at most 12 hours ago' } },
  })
  await cases.database.rows("UPDATE work_times SET started = now() - interval '66 hours' WHERE id = $1", [id])
  expect((await stop(http)).status).toBe(200)
  expect(await read(http, id)).toMatchObject({ seconds: String(12 * 3600), forgotten: '1' })
})

describe('GET /rest/work_time', () => {
  it('lists the work times of the office by person, case and start', async () => {
    const { expert, trainee } = cases.office()
    const [http, theirs] = [cases.asExpert(expert), cases.asExpert(trainee)]
    const issueId = await openIssue(http)
    const later = { started: '2026-01-16 08:00:00', ended: '2026-01-16 09:00:00' }
    const [a, b] = [(await post(http, later)).body.id, (await post(http, { ...morning, issue_id: issueId })).body.id]
    const c = (await post(theirs, morning)).body.id
    const ids = async (query: string) =>
      (await http.get<{ WorkTime: WorkTime }[]>(`/work_time${query}`)).body.map((r) => Number(r.WorkTime.id))
    expect(await ids('')).toEqual([a, b, c])
    expect(await ids('?sort=started')).toEqual([b, c, a])
    expect(await ids(`?user_id=${trainee.userId}`)).toEqual([c])
    expect(await ids(`?issue_id=${issueId}`)).toEqual([b])
  })
})

describe('PUT and DELETE /rest/work_time/{id}', () => {
  it('change and delete the caller’s own', async () => {
    const http = cases.asExpert(cases.office().trainee)
    const { id } = (await post(http, morning)).body
    const { headers } = await http.get(`/work_time/${id}`)
    expect((await http.put(`/work_time/${id}`, { WorkTime: { ended: '2026-01-15 08:30:00' } })).status).toBe(200)
    expect(await read(http, id)).toMatchObject({ started: morning.started, seconds: '1800' })
    expect((await http.put(`/work_time/${id}`, { WorkTime: {} }, { 'if-match': headers.get('etag') ?? '' })).status).toBe(412)
    expect((await http.put(`/work_time/${id}`, { WorkTime: { ended: null } })).body).toMatchObject({
      errorMessages: { ended: 'is required' },
    })
    expect((await http.delete(`/work_time/${id}`)).status).toBe(200)
    expect((await http.get(`/work_time/${id}`)).status).toBe(404)
  })

  it('refuse a change that overlaps with another interval', async () => {
    const http = cases.asExpert(cases.office().expert)
    await post(http, morning)
    const { id } = (await post(http, { started: '2026-01-15 10:00:00', ended: '2026-01-15 11:00:00' })).body
    const over = await http.put(`/work_time/${id}`, { WorkTime: { started: '2026-01-15 09:00:00' } })
    expect(over).toMatchObject({ status: 409, body: refusedWith('WORK_TIME_OVERLAP') })
    expect(await read(http, id)).toMatchObject({ started: '2026-01-15 10:00:00' })
  })

  it('refuse those of a colleague, also for an administrator', async () => {
    const { administrator, trainee } = cases.office()
    const { id } = (await post(cases.asExpert(trainee), morning)).body
    const http = cases.asExpert(administrator)
    expect((await http.put(`/work_time/${id}`, { WorkTime: { kind: 'extra' } })).status).toBe(403)
    expect((await http.delete(`/work_time/${id}`)).status).toBe(403)
    expect(await read(http, id)).toMatchObject({ kind: 'work' })
  })
})

describe('the deletion of a case', () => {
  const worked = async (person: Person<unknown>) => {
    const http = cases.asExpert(person)
    const issueId = await openIssue(http)
    return { http, issueId, id: (await post(http, { ...morning, issue_id: issueId })).body.id }
  }

  it('keeps the work times', async () => {
    const { http, issueId, id } = await worked(cases.office().expert)
    expect((await http.delete(`/issue/${issueId}`)).status).toBe(200)
    expect(await read(http, id)).toMatchObject({ issue_id: null, seconds: '5400' })
  })
})
