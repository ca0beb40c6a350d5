import { randomId } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { documentOf, type Installation, installation } from './support/installation.js'

let place: Installation
beforeAll(async () => {
  place = await installation()
})
afterAll(() => place.drop())

/** An office with one case of `owner`, whose counter is 3, and one case without an owner, which is not counted. */
async function wrongOffice() {
  const [office, owner] = [randomId(), randomId()]
  await place.cases.rows("INSERT INTO customers VALUES ($1, 'Europe/Warsaw', 1)", [office])
  await place.cases.rows(
    `INSERT INTO issues (customer_id, number, subject, status, user_id, modified)
     VALUES ($1, 1, 'Mine', 'open', $2, now()), ($1, 2, 'Nobody''s', 'new', NULL, now())`,
    [office, owner],
  )
  await place.cases.rows("INSERT INTO issue_counters VALUES ($1, 'owned', $2, 0, 3)", [office, owner])
  const kept = () =>
    place.cases.rows('SELECT counter, value FROM issue_counters WHERE customer_id = $1 AND value <> 0 ORDER BY counter', [office])
  const wrong = [
    { counter: 'owned', user_id: String(owner), other_user_id: null, off_by: 2 },
    { counter: 'unassigned', user_id: null, other_user_id: null, off_by: -1 },
  ]
  const recount = (...options: string[]) => place.caseway('counters', 'recount', '--office', String(office), ...options)
  return { owner, kept, wrong, recount }
}

describe('counters recount', () => {
  it('reports the deviation of each counter, and changes none', async () => {
    const { owner, kept, wrong, recount } = await wrongOffice()
    const { counters, repaired } = documentOf(await recount('--json'))
    expect({ repaired, counters: new Set(counters) }).toEqual({ repaired: false, counters: new Set(wrong) })
    const { out } = await recount()
    expect(out).toMatch(new RegExp(`owned +${owner} +\\+2\n`))
    expect(out).toMatch(/^unassigned +-1$/m)
    expect(out).toMatch(/\n\nNothing was changed: --repair corrects them\.$/)
    expect(await kept()).toEqual([{ counter: 'owned', value: 3 }])
  })

  it('corrects the counters', async () => {
    const { kept, wrong, recount } = await wrongOffice()
    const { counters, repaired } = documentOf(await recount('--repair', '--json'))
    expect({ repaired, counters: new Set(counters) }).toEqual({ repaired: true, counters: new Set(wrong) })
    expect(await kept()).toEqual([
      { counter: 'owned', value: 1 },
      { counter: 'unassigned', value: 1 },
    ])
    expect(await recount()).toEqual({ code: 0, out: 'Every counter is right.', err: '' })
  })

  it('reports an unknown office', async () => {
    const { code, out, err } = await place.caseway('counters', 'recount', '--office', '99')
    expect({ code, out, err }).toEqual({ code: 1, out: '', err: 'Cases-and-counters knows no office 99.' })
  })
})
