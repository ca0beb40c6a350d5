import { createLog, createMetrics } from '@caseway/kit/observability'
import { createTokenVerifier, KeySet } from '@caseway/kit/tokens'
import { eventually } from '@caseway/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { assemble } from '../src/assembly.js'
import { ownConfig } from '../src/config.js'
import { checkCounters } from '../src/counters/counter-check.js'
import { type Cases, openIssue, startCases } from './support/cases.js'

let cases: Cases
beforeAll(async () => {
  cases = await startCases({ variables: { CASES_AND_COUNTERS_COUNTER_CHECK_SECONDS: '0' } })
})
afterAll(() => cases.stop())

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

/** A check that looks without a pause, on the database of the service. */
function check(batch = 10) {
  const lines: Record<string, unknown>[] = []
  const log = createLog({ service: 'test', destination: { write: (line) => void lines.push(JSON.parse(line)) } })
  const metrics = createMetrics('test')
  const verifier = createTokenVerifier({ keys: new KeySet(), issuer: '' })
  const config = ownConfig.read({ CASES_AND_COUNTERS_DATABASE_URL: cases.database.url })
  const { db, directory, own, counters } = assemble(config, { verifier, sessionsKnown: () => false, log, metrics })
  const over = new AbortController()
  const done = checkCounters({ counters, metrics: own, log, everyMs: 1, batch }, over.signal)
  const stop = async () => {
    over.abort()
    await done
    directory.close()
    await db.close()
  }
  stops.push(stop)
  const checks = async () => (await own.counterChecks.get()).values.reduce((sum, { value }) => sum + value, 0)
  return {
    lines,
    checks,
    drift: async () => Object.fromEntries((await own.counterDrift.get()).values.map(({ labels, value }) => [labels.counter, value])),
    /** Until every office was looked at once more, and that is shown. */
    async round() {
      const [offices] = await cases.database.rows<{ count: number }>('SELECT count(*)::int FROM issue_numbers')
      const until = (await checks()) + 2 * ((offices?.count ?? 0) + batch)
      await eventually(async () => expect(await checks()).toBeGreaterThan(until), { timeoutMs: 15_000 })
    },
    async stop() {
      stops.splice(stops.indexOf(stop), 1)
      await stop()
    },
  }
}

const right = { owned: 0, unaccepted: 0, unassigned: 0, delegated: 0 }

describe('the check of counters', () => {
  it('sees drift in whichever office, names it, leaves it, and sees that it was repaired', async () => {
    const offices = await Promise.all(
      Array.from({ length: 7 }, async () => {
        const office = cases.office()
        await openIssue(cases.asExpert(office.expert))
        return office.customerId
      }),
    )
    const { drift, lines, round } = check(3)
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

    expect(await cases.service.recount(one as bigint)).toBe(2)
    await eventually(async () => expect(await drift()).toEqual({ ...right, owned: 3 }))
    expect(await cases.service.recount(other as bigint)).toBe(3)
    await eventually(async () => expect(await drift()).toEqual(right))
  })

  it('takes no write that is under way for drift', async () => {
    const office = cases.office()
    const http = cases.asExpert(office.expert)
    const { checks, drift, lines, round } = check()
    await round()
    const before = await checks()
    const writes = Array.from({ length: 200 }, async (_, index) => {
      const id = await openIssue(http, index % 2 ? { user_id: String(office.expert.userId) } : {})
      if (index % 3 === 0) await http.put(`/issue/${id}`, { Issue: { status: 'closed' } })
    })
    await Promise.all(writes)
    expect((await checks()) - before).toBeGreaterThan(20)
    await round()
    expect(await drift()).toEqual(right)
    // A difference at any look would have been told.
    expect(lines).toEqual([])
  }, 60_000)

  it('goes on with the next office when one cannot be read, and shows nothing once it is over', async () => {
    const { lines, drift, checks, stop } = check()
    await eventually(async () => expect(await checks()).toBeGreaterThan(0))
    await cases.database.rows(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'cases-and-counters' AND datname = current_database()",
    )
    const after = await checks()
    await eventually(async () => expect(await checks()).toBeGreaterThan(after + 20))
    await stop()
    expect(await drift()).toEqual({})
    expect(lines.filter(({ level }) => level === 'error')).toEqual([])
  })
})

describe('of several copies of the service', () => {
  it('one checks, and another when that stops', async () => {
    const metrics = [createMetrics('one'), createMetrics('other')] as const
    const shows = async (index: 0 | 1) => (await metrics[index].registry.metrics()).includes('\ncounter_drift{')
    const one = await cases.copy({ CASES_AND_COUNTERS_COUNTER_CHECK_SECONDS: '1' }, metrics[0])
    await eventually(async () => expect(await shows(0)).toBe(true))
    const other = await cases.copy({ CASES_AND_COUNTERS_COUNTER_CHECK_SECONDS: '1' }, metrics[1])
    await one.stop()
    await eventually(async () => expect(await shows(1)).toBe(true))
    expect(await shows(0)).toBe(false)
    await other.stop()
  })
})
