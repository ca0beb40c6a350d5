import { eventually } from '@caseway/testing/eventually'
import { holdTransaction, untilWaiting } from '@caseway/testing/held-transaction'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { officeFeed } from '../../src/feed/feed.js'
import { type Cases, openIssue, startCases } from '../support/cases.js'

let cases: Cases
beforeAll(async () => {
  cases = await startCases({ variables: { CASES_AND_COUNTERS_COUNTER_CHECK_SECONDS: '0' } })
})
afterAll(() => cases.stop())

const retries = async () => (await cases.metrics.databaseRetries.get()).values.reduce((sum, { value }) => sum + value, 0)
const countersOf = (customerId: bigint) =>
  cases.database.rows('SELECT counter, value FROM issue_counters WHERE customer_id = $1 AND value <> 0 ORDER BY counter', [customerId])

describe('two concurrent repairs of an office', () => {
  it.each([
    ['rows that are wrong', 'UPDATE issue_counters SET value = 7 WHERE customer_id = $1'],
    ['rows that are missing', 'DELETE FROM issue_counters WHERE customer_id = $1'],
  ])('count once: %s', async (_, damage) => {
    const { customerId, expert } = cases.office()
    for (let i = 0; i < 3; i++) await openIssue(cases.asExpert(expert))
    await cases.database.rows(damage, [customerId])
    // A repair locks the feed of the office last, so the first one is held after it has added the difference.
    const held = await holdTransaction(cases.database, 'SELECT FROM feeds WHERE feed = $1 FOR UPDATE', [officeFeed(customerId)])
    const repairs = [cases.recount(customerId), cases.recount(customerId)]
    await untilWaiting(cases.database, 2)
    await held.commit()
    expect((await Promise.all(repairs)).filter((drift) => drift > 0)).toHaveLength(1)
    expect(await countersOf(customerId)).toEqual([{ counter: 'unassigned', value: 3 }])
  })

  it('and a concurrent change of a case are all counted', async () => {
    const { customerId, expert } = cases.office()
    await openIssue(cases.asExpert(expert))
    await cases.database.rows('DELETE FROM issue_counters WHERE customer_id = $1', [customerId])
    const held = await holdTransaction(cases.database, 'SELECT FROM feeds WHERE feed = $1 FOR UPDATE', [officeFeed(customerId)])
    const opened = openIssue(cases.asExpert(expert))
    await untilWaiting(cases.database, 1)
    const repaired = cases.recount(customerId)
    await untilWaiting(cases.database, 2)
    await held.commit()
    await Promise.all([opened, repaired])
    expect(await countersOf(customerId)).toEqual([{ counter: 'unassigned', value: 2 }])
  })
})

type Worker = ReturnType<Cases['office']>['expert']
const inOrder = (one: Worker, other: Worker): [Worker, Worker] => (one.userId < other.userId ? [one, other] : [other, one])

/** Holds the counter of the cases that a person owns. */
const hold = (customerId: bigint, { userId }: Worker) =>
  holdTransaction(cases.database, "SELECT FROM issue_counters WHERE customer_id = $1 AND counter = 'owned' AND user_id = $2 FOR UPDATE", [
    customerId,
    userId,
  ])

/** A transaction with cases of several offices waits 50 ms for a lock; then the cases of each office have a transaction of their own. */
const untilApart = () =>
  eventually(async () => {
    const waiting = await cases.database.rows(
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query_start < now() - interval '200 ms'",
    )
    expect(waiting).toHaveLength(1)
  })

const give = (by: ReturnType<Cases['asExpert']>, id: number | undefined, { userId }: Worker) =>
  by.put(`/issue/${id}`, { Issue: { user_id: String(userId) } })

it('changes that move cases in opposite directions between two people wait for each other without a deadlock', async () => {
  const office = cases.office()
  const [low, high] = inOrder(office.specialist, office.trainee)
  const ids = [await openIssue(cases.asExpert(low)), await openIssue(cases.asExpert(high))]
  for (const [i, person] of [low, high].entries()) await cases.asExpert(person).put(`/issue/${ids[i]}`, { Issue: { status: 'open' } })
  const before = await retries()
  const held = await hold(office.customerId, low)
  const expert = cases.asExpert(office.expert)
  // Both need the held counter and that of the other person. The one that waits first continues first.
  const down = give(expert, ids[0], high)
  await untilWaiting(cases.database, 1)
  const up = give(expert, ids[1], low)
  await untilWaiting(cases.database, 2)
  await held.commit()
  expect([(await down).status, (await up).status]).toEqual([200, 200])
  expect(await retries()).toBe(before)
  expect(await cases.recount(office.customerId)).toBe(0)
})

it('a change of a case and cases that are opened in one transaction wait for each other without a deadlock', async () => {
  const { customerId, administrator, ...office } = cases.office()
  const [low, high] = inOrder(office.specialist, office.trainee)
  const as = cases.asExpert(office.expert)
  const openFor = ({ userId }: Worker) => openIssue(as, { user_id: String(userId) })
  const id = await openFor(low)
  await openFor(high)
  await openFor(administrator)
  const before = await retries()
  const [first, second] = [await hold(customerId, administrator), await hold(customerId, high)]

  // Cases that are opened while the first one waits share the next transaction.
  const opened = [openFor(administrator)]
  await untilApart()
  opened.push(openIssue(as), openFor(low))
  const change = give(as, id, high)
  await untilWaiting(cases.database, 2)
  await first.commit()
  await opened[0]
  await untilWaiting(cases.database, 2)
  await second.commit()

  expect((await change).status).toBe(200)
  await Promise.all(opened)
  expect(await retries()).toBe(before)
  expect(await cases.recount(customerId)).toBe(0)
})
