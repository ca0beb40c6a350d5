import { itKeepsPeople } from '@caseway/testing/people'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { type Cases, openIssue, startCases } from '../support/cases.js'

let cases: Cases
beforeAll(async () => {
  cases = await startCases()
})
afterAll(() => cases.stop())

itKeepsPeople(['customers', 'users', 'client_links', 'groups'], () => cases)

it('the time zone of an office is the default until the copy has it', async () => {
  const http = cases.asExpert(cases.office().expert)
  const id = await openIssue(http, { deadline: '2026-07-01 12:00:00' })
  const [row] = await cases.database.rows('SELECT deadline FROM issues WHERE id = $1', [id])
  expect(row).toEqual({ deadline: new Date('2026-07-01T10:00:00Z') })
})
