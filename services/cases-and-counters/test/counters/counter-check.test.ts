import { createDatabase } from '@caseway/kit/database'
import { startJobs } from '@caseway/kit/jobs'
import { createLog, createMetrics } from '@caseway/kit/observability'
import { eventually } from '@caseway/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { counterCheck } from '../../src/counters/counter-check.job.js'
import { counterCheckRepository } from '../../src/counters/counter-check.repository.js'
import { counterMetrics } from '../../src/counters/counter-metrics.js'
import { PrismaClient } from '../../src/generated/client.js'
import { casesAndCounters } from '../../src/wiring.js'
import { type Cases, openIssue, startCases } from '../support/cases.js'

let cases: Cases
beforeAll(async () => {
  cases = await startCases({ variables: { CASES_AND_COUNTERS_COUNTER_CHECK_SECONDS: '0' } })
})
afterAll(() => cases.stop())

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

/** A check without pauses on the database of the service. */
async function check(batch = 10) {
  const lines: Record<string, unknown>[] = []
  const log = createLog({ service: 'test', destination: { write: (line) => void lines.push(JSON.parse(line)) } })
  const metrics = createMetrics('test')
  const { url } = cases.database
  const { administration, close } = await casesAndCounters.open({ CASES_AND_COUNTERS_DATABASE_URL: url }, log)
  const db = createDatabase({ url, client: PrismaClient, log, metrics })
  const checks = counterCheckRepository(db)
  const own = counterMetrics(metrics, checks.drift)
  const handlers = [counterCheck({ ...administration, checks, metrics: own, log, everyMs: 1, batch })]
  const jobs = startJobs({ db, handlers, log, metrics, pollMs: 5 })
  const stop = async () => {
    await jobs.stop()
    await close()
    await db.close()
  }
  stops.push(stop)
  const checked = async () => (await own.counterChecks.get()).values.reduce((sum, { value }) => sum + value, 0)
  return {
    lines,
    checked,
    drift: async () => Object.fromEntries((await own.counterDrift.get()).values.map(({ labels, value }) => [labels.counter, value])),
    /** Waits until every office was checked once more, and the metrics show it. */
    async round() {
      const [offices] = await cases.database.rows<{ count: number }>('SELECT count(*)::int FROM issue_numbers')
      const until = (await checked()) + 2 * ((offices?.count ?? 0) + batch)
      await eventually(async () => expect(await checked()).toBeGreaterThan(until), { timeoutMs: 15_000 })
    },
    async stop() {
      stops.splice(stops.indexOf(stop), 1)
      await stop()
    },
  }
}

const right = { owned: 0, unaccepted: 0, unassigned: 0, delegated: 0 }

describe('the check of counters', () => {
  it('finds drift in any office, logs it without repairing it, and finds it repaired afterwards', async () => {
    const offices = await Promise.all(
      Array.from({ length: 7 }, async () => {
        const office = cases.office()
        await openIssue(cases.asExpert(office.expert))
        return office.customerId
      }),
    )
    const { drift, lines, round } = await check(3)
    await round()
    expect(await drift()).toEqual(right)
    expect(lines).toEqual([])

    const [, one, , , other] = offices
    await cases.database.rows("UPDATE issue_counters SET value = value + 2 WHERE customer_id = $1 AND counter = 'unassigned'", [one])
    await cases.database.rows("INSERT INTO issue_counters VALUES ($1, 'owned', 5, 0, 3)", [other])
    await eventually(async () => expect(await drift()).toEqual({ ...right, unassigned: 2, owned: 3 }))
    await round()
    expect(await drift()).toEqual({ ...right, unassigned: 2, owned: 3 })
    expect(lines).toContainEqual(expect.objectContaining({ level: 'warn', office: String(one), counter: 'unassigned', drift: 2 }))
    expect(lines).toContainEqual(expect.objectContaining({ level: 'warn', office: String(other), counter: 'owned', drift: 3 }))

    expect(await cases.recount(one as bigint)).toBe(2)
    await eventually(async () => expect(await drift()).toEqual({ ...right, owned: 3 }))
    expect(await cases.recount(other as bigint)).toBe(3)
    await eventually(async () => expect(await drift()).toEqual(right))
  })

  it('does not take a concurrent write for drift', async () => {
    const office = cases.office()
    const http = cases.asExpert(office.expert)
    const { checked, drift, lines, round } = await check()
    await round()
    const before = await checked()
    const writes = Array.from({ length: 200 }, async (_, index) => {
      const id = await openIssue(http, index % 2 ? { user_id: String(office.expert.userId) } : {})
      if (index % 3 === 0) await http.put(`/issue/${id}`, { Issue: { status: 'closed' } })
    })
    await Promise.all(writes)
    expect((await checked()) - before).toBeGreaterThan(20)
    await round()
    expect(await drift()).toEqual(right)
    // Any check with a difference would have logged it.
    expect(lines).toEqual([])
  }, 60_000)

  it('continues with the next office when one cannot be read', async () => {
    const { lines, checked } = await check()
    await eventually(async () => expect(await checked()).toBeGreaterThan(0))
    await cases.database.rows(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'cases-and-counters' AND datname = current_database()",
    )
    const after = await checked()
    await eventually(async () => expect(await checked()).toBeGreaterThan(after + 20))
    expect(lines.filter(({ level }) => level === 'error')).toEqual([])
  })
})

it('every copy exposes the same metrics, whichever has checked', async () => {
  const office = cases.office()
  await openIssue(cases.asExpert(office.expert))
  const metrics = [createMetrics('one'), createMetrics('other')] as const
  const variables = { CASES_AND_COUNTERS_COUNTER_CHECK_SECONDS: '1' }
  for (const own of metrics) await cases.copy(variables, own)
  const bothShow = (value: number) =>
    eventually(async () => {
      for (const { registry } of metrics)
        expect(await registry.metrics()).toMatch(new RegExp(`counter_drift{counter="unassigned",.*} ${value}\n`))
    })
  await bothShow(0)
  await cases.database.rows("UPDATE issue_counters SET value = value + 2 WHERE customer_id = $1 AND counter = 'unassigned'", [
    office.customerId,
  ])
  // Makes the office the next one.
  await cases.database.rows('DELETE FROM counter_checks WHERE customer_id = $1', [office.customerId])
  await bothShow(2)
  await cases.recount(office.customerId)
  await cases.database.rows("UPDATE counter_checks SET checked = 'epoch' WHERE customer_id = $1", [office.customerId])
  await bothShow(0)
})
