import { holdTransaction, untilWaiting } from '@caseway/testing/held-transaction'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Cases, openIssue, startCases } from '../support/cases.js'

let cases: Cases
beforeAll(async () => {
  cases = await startCases()
})
afterAll(() => cases.stop())

const deadlocks = async () => {
  const [row] = await cases.database.rows<{ deadlocks: string }>(
    'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
  )
  return Number(row?.deadlocks)
}

/** A work time on a case, and a transaction that has locked the case, as its deletion does first. */
async function withCaseLocked() {
  const http = cases.asExpert(cases.office().expert)
  const [issueId, another] = [await openIssue(http), await openIssue(http)]
  const WorkTime = { started: '2026-01-15 08:00:00', ended: '2026-01-15 09:30:00', issue_id: issueId }
  const { id } = (await http.post<{ id: number }>('/work_time', { WorkTime })).body
  const change = (fields: object) => http.put(`/work_time/${id}`, { WorkTime: fields })
  const stored = () => cases.database.rows('SELECT issue_id, kind FROM work_times WHERE id = $1', [id])
  const held = await holdTransaction(cases.database, 'SELECT FROM issues WHERE id = $1 FOR UPDATE', [issueId])
  return { issueId, another, change, stored, held, id }
}

describe('a change of a work time, concurrent with the deletion of its case', () => {
  it('a change that refers to the case waits for it before it locks the work time, and is refused', async () => {
    const { id, issueId, change, stored, held } = await withCaseLocked()
    const changed = change({ issue_id: issueId, kind: 'extra' })
    await untilWaiting(cases.database, 1)
    await held.query('SELECT FROM work_times WHERE id = $1 FOR UPDATE NOWAIT', [id])
    await held.query('DELETE FROM issues WHERE id = $1', [issueId])
    await held.commit()
    expect(await changed).toMatchObject({ status: 400, body: { errorMessages: { issue_id: 'does not exist' } } })
    expect(await stored()).toEqual([{ issue_id: null, kind: 'work' }])
  })

  it.each(['another case', 'no case'] as const)('a change to %s does not wait for it', async (named) => {
    const { issueId, another, change, stored, held } = await withCaseLocked()
    expect((await change({ kind: 'extra', ...(named === 'another case' && { issue_id: another }) })).status).toBe(200)
    await held.query('DELETE FROM issues WHERE id = $1', [issueId])
    await held.commit()
    expect(await stored()).toEqual([{ issue_id: named === 'no case' ? null : String(another), kind: 'extra' }])
  })
})

it('a work time for a case that is deleted concurrently is refused like one for an unknown case', async () => {
  const http = cases.asExpert(cases.office().expert)
  const issueId = await openIssue(http)
  const removal = await holdTransaction(cases.database, 'DELETE FROM issues WHERE id = $1', [issueId])
  const WorkTime = { started: '2026-01-15 08:00:00', ended: '2026-01-15 09:30:00', issue_id: issueId }
  const answer = http.post('/work_time', { WorkTime })
  await untilWaiting(cases.database, 1)
  await removal.commit()
  expect(await answer).toMatchObject({ status: 400, body: { errorMessages: { issue_id: 'does not exist' } } })
})

it('of overlapping work times that a person enters concurrently, one is stored, and the others are refused without a deadlock', async () => {
  const { customerId, expert } = cases.office()
  const WorkTime = { started: '2026-01-15 08:00:00', ended: '2026-01-15 09:30:00' }
  const interval = 'INSERT INTO work_times (customer_id, user_id, started, ended) VALUES ($1, $2, $3, $4)'
  const held = await holdTransaction(cases.database, interval, [customerId, expert.userId, WorkTime.started, WorkTime.ended])
  const http = cases.asExpert(expert)
  const entered = Array.from({ length: 4 }, () => http.post('/work_time', { WorkTime }))
  await untilWaiting(cases.database, entered.length)
  await held.rollback()
  expect((await Promise.all(entered)).map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
  expect(await deadlocks()).toBe(0)
})
