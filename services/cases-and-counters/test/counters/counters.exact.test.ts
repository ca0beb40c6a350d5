import type { HttpClient, Person } from '@caseway/testing'
import { holdTransaction } from '@caseway/testing/held-transaction'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { type Cases, openIssue, startCases } from '../support/cases.js'

let cases: Cases
beforeAll(async () => {
  cases = await startCases()
})
afterAll(() => cases.stop())

interface Counters {
  my: number
  unassigned: number
  unaccepted: number
  delegated: number
}

/** The counters as specified, counted from the cases, and the stored ones, in one snapshot. */
const bothOf = async (customerId: bigint) => {
  const [row] = await cases.database.rows<{ counted: string; kept: string }>(
    `WITH active AS (SELECT * FROM issues WHERE customer_id = $1 AND status IN ('open', 'new', 'unaccepted')),
     counted AS (
       SELECT 'owned' AS counter, user_id, 0::bigint AS other_user_id, count(*) AS value FROM active WHERE user_id IS NOT NULL GROUP BY user_id
       UNION ALL SELECT 'unaccepted', user_id, 0, count(*) FROM active WHERE status = 'unaccepted' GROUP BY user_id
       UNION ALL SELECT 'unassigned', 0, 0, count(*) FROM active WHERE user_id IS NULL HAVING count(*) > 0
       UNION ALL SELECT 'delegated', delegated_by, delegated_user_id, count(*) FROM active
         WHERE delegated_by IS NOT NULL GROUP BY delegated_by, delegated_user_id),
     kept AS (SELECT counter, user_id, other_user_id, value FROM issue_counters WHERE customer_id = $1 AND value <> 0)
     SELECT (SELECT string_agg(c::text, ' ' ORDER BY c) FROM counted c) AS counted, (SELECT string_agg(k::text, ' ' ORDER BY k) FROM kept k) AS kept`,
    [customerId],
  )
  return row as { counted: string; kept: string }
}

const readOf = async (http: HttpClient) => (await http.get<{ Counter: { Issue: Counters } }>('/counter?object=Issue')).body.Counter.Issue

const statuses = ['new', 'unaccepted', 'open', 'pending', 'closed', 'rejected']

/** Random moves: by whom, of which of the latest cases, of which kind, and with whom. */
const kinds = fc.constantFrom('status', 'status', 'owner', 'owner', 'delegate', 'delegate', 'open', 'remove')
const move = fc.record({ who: fc.nat(7), which: fc.nat(29), kind: kinds, whom: fc.nat(8) })
const moves = fc.array(move, { minLength: 1000, maxLength: 1000 })

describe('counters', () => {
  it('equal a recount during and after a thousand random moves by eight people concurrently', async () => {
    const office = cases.office()
    const people = [office.administrator, office.expert, office.specialist, office.trainee, ...more(office, 4)]
    const https = people.map((person) => cases.asExpert(person))
    const issues = await Promise.all(Array.from({ length: 30 }, (_, i) => openIssue(https[i % 8] as HttpClient)))
    const [script = []] = fc.sample(moves, { seed: 20261121, numRuns: 1 })

    const outcomes = new Map<number, number>()
    const idOf = (whom: number) => (whom === 8 ? null : String(people[whom]?.userId))
    const run = async ({ who, which, kind, whom }: (typeof script)[number]) => {
      const http = https[who] as HttpClient
      if (kind === 'open') return issues.push(await openIssue(http, { user_id: idOf(whom) }))
      const path = `/issue/${issues.at(-1 - which)}`
      const fields = { status: { status: statuses[whom % 6] }, owner: { user_id: idOf(whom) }, delegate: { delegated_user_id: idOf(whom) } }
      const sent = kind === 'remove' ? undefined : { Issue: fields[kind as keyof typeof fields] }
      const { status } = await (sent ? http.put(path, sent) : http.delete(path))
      outcomes.set(status, (outcomes.get(status) ?? 0) + 1)
    }

    const moments: { counted: string; kept: string }[] = []
    let moving = true
    const watch = async () => {
      while (moving) moments.push(await bothOf(office.customerId))
    }
    const watching = watch()
    const queue = script.entries()
    const work = async () => {
      for (const [, move] of queue) await run(move)
    }
    await Promise.all(Array.from({ length: 8 }, work))
    moving = false
    await watching

    expect([...outcomes.keys()].filter((status) => ![200, 403, 404, 409].includes(status))).toEqual([])
    expect(outcomes.get(200)).toBeGreaterThan(300)
    expect(moments.length).toBeGreaterThan(20)
    for (const { counted, kept } of [...moments, await bothOf(office.customerId)]) expect(kept).toBe(counted)
    expect(await cases.recount(office.customerId)).toBe(0)

    const { rows } = cases.database
    const [person] = people as [Person<unknown>]
    const [expected] = await rows(
      `SELECT count(*) FILTER (WHERE user_id = $2)::int AS my, count(*) FILTER (WHERE user_id IS NULL)::int AS unassigned,
         count(*) FILTER (WHERE user_id = $2 AND status = 'unaccepted')::int AS unaccepted,
         count(*) FILTER (WHERE $2 IN (delegated_by, delegated_user_id))::int AS delegated
       FROM issues WHERE customer_id = $1 AND status IN ('open', 'new', 'unaccepted')`,
      [office.customerId, person.userId],
    )
    expect(await readOf(https[0] as HttpClient)).toEqual(expected)
  }, 120_000)

  it('are corrected by a recount, which returns the differences', async () => {
    const office = cases.office()
    const http = cases.asExpert(office.expert)
    for (let i = 0; i < 3; i++) await openIssue(http)
    await openIssue(http, { user_id: String(office.expert.userId) })
    expect(await cases.recount(office.customerId)).toBe(0)
    const { customerId } = office
    await cases.database.rows("UPDATE issue_counters SET value = 5 WHERE customer_id = $1 AND counter = 'unassigned'", [customerId])
    await cases.database.rows("DELETE FROM issue_counters WHERE customer_id = $1 AND counter = 'owned'", [customerId])
    await cases.database.rows("INSERT INTO issue_counters VALUES ($1, 'unaccepted', 9, 0, 4)", [customerId])
    expect(await cases.recount(customerId)).toBe(2 + 1 + 4)
    expect(await readOf(http)).toEqual({ my: 1, unassigned: 3, unaccepted: 0, delegated: 0 })
    expect(await cases.recount(customerId)).toBe(0)
  })

  it('are read without reading the cases', async () => {
    const http = cases.asExpert(cases.office().expert)
    await openIssue(http)
    const holding = await holdTransaction(cases.database, 'LOCK TABLE issues IN ACCESS EXCLUSIVE MODE')
    expect(await readOf(http)).toMatchObject({ unassigned: 1 })
    await holding.rollback()
  })
})

function more(office: ReturnType<Cases['office']>, howMany: number) {
  return Array.from({ length: howMany }, () => {
    const person = office.employee('specialist')
    cases.auth.users.push({ ...cases.auth.users[0], id: person.userId, customerId: office.customerId } as (typeof cases.auth.users)[number])
    return person
  })
}
