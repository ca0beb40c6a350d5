import { userTopic } from '@caseway/protos/topics'
import { eventually } from '@caseway/testing'
import { user } from '@caseway/testing/fake-auth'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { type Cases, startCases } from '../support/cases.js'

let cases: Cases
beforeAll(async () => {
  cases = await startCases()
})
afterAll(() => cases.stop())

it('the timer of a person ends when they are deactivated, and counts until then', async () => {
  const { customerId, expert, trainee } = cases.office()
  for (const person of [expert, trainee]) await cases.asExpert(person).post('/work_time/start', { WorkTime: {} })
  await cases.database.rows("UPDATE work_times SET started = started - interval '1 hour' WHERE customer_id = $1", [customerId])
  const left = user({ id: trainee.userId, customerId, active: false, revision: 2n })
  await cases.publish(userTopic, left, left, { ...left, active: true, revision: 1n })
  const timers = `
    SELECT ended IS NULL AS runs, forgotten, (SELECT sum(days.seconds) >= 3600 FROM work_time_days AS days WHERE work_time_id = work_times.id) AS counted
    FROM work_times WHERE customer_id = $1 ORDER BY id`
  await eventually(async () =>
    expect(await cases.database.rows(timers, [customerId])).toEqual([
      { runs: true, forgotten: false, counted: null },
      { runs: false, forgotten: false, counted: true },
    ]),
  )
})
