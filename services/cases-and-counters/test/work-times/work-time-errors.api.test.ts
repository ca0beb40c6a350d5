import { type HttpClient, randomId } from '@caseway/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { type Cases, startCases } from '../support/cases.js'

let cases: Cases
beforeAll(async () => {
  cases = await startCases()
})
afterAll(() => cases.stop())

const morning = { started: '2026-01-15 08:00:00', ended: '2026-01-15 09:30:00' }
const post = (http: HttpClient, fields: object) => http.post<{ id: number }>('/work_time', { WorkTime: fields })

it.each<[Record<string, unknown>, Record<string, unknown>]>([
  [{}, { started: 'is required', ended: 'is required' }],
  [
    { started: 'x', ended: '2999-01-01 00:00:00' },
    { started: expect.any(String), ended: 'must not be in the future' },
  ],
  [
    { ...morning, ended: morning.started, kind: 'overtime' },
    { ended: 'must be later than started', kind: expect.any(String) },
  ],
  [{ ...morning, ended: null }, { ended: 'is required' }],
  [{ ...morning, ended: morning.started }, { ended: 'must be later than started' }],
  [{ ...morning, kind: 'overtime' }, { kind: expect.any(String) }],
  [{ ...morning, issue_id: 'x' }, { issue_id: expect.any(String) }],
])('a new work time: names what is wrong in %j', async (fields, errorMessages) => {
  const { status, body } = await post(cases.asExpert(cases.office().expert), fields)
  expect([status, body]).toEqual([400, { status: 'error', errorMessages }])
})

it('a timer names every wrong field, the case among them', async () => {
  const http = cases.asExpert(cases.office().expert)
  const refused = async (fields: object) => (await http.post('/work_time/start', { WorkTime: fields })).body
  const issue_id = String(randomId())
  expect(await refused({ issue_id })).toEqual({ status: 'error', errorMessages: { issue_id: 'does not exist' } })
  expect(await refused({ issue_id, kind: 'x' })).toEqual({
    status: 'error',
    errorMessages: { issue_id: 'does not exist', kind: 'must be one of work, extra' },
  })
})

it('a change names every wrong field, and no time that is sent back', async () => {
  const http = cases.asExpert(cases.office().expert)
  const { id } = (await post(http, morning)).body
  const refused = async (fields: object) => (await http.put(`/work_time/${id}`, { WorkTime: fields })).body
  const future = { ended: 'must not be in the future' }
  expect(await refused({ ended: '2999-01-01 00:00:00', issue_id: String(randomId()) })).toMatchObject({
    errorMessages: { ...future, issue_id: 'does not exist' },
  })
  expect(await refused({ ended: null, kind: 'x' })).toMatchObject({ errorMessages: { ended: 'is required', kind: expect.any(String) } })
  await cases.database.rows('UPDATE work_times SET ended = started WHERE id = $1', [id])
  const sentBack = (await http.get<{ WorkTime: object }>(`/work_time/${id}`)).body.WorkTime
  expect(await refused({ ...sentBack, kind: 'x' })).toEqual({
    status: 'error',
    errorMessages: { kind: expect.any(String) },
  })
})
