import type { EventStream } from '@caseway/testing'
import { expect, it } from '@jest/globals'
import { allCases, type CaseCounter, countersOf, recount } from './cases.js'
import type { SignedIn } from './people.js'

/** The participants, signed in. */
export interface CaseJourney {
  expert: SignedIn
  trainee: SignedIn
  /** The live stream of the trainee. */
  stream: EventStream
  /** The public URL for experts. */
  address: string
}

/** How a change affects somebody's counters, read by the next request. */
async function difference(who: SignedIn, change: () => Promise<unknown>): Promise<Partial<CaseCounter>> {
  const before = await countersOf(who.api)
  await change()
  const after = await countersOf(who.api)
  const names = Object.keys(after) as (keyof CaseCounter)[]
  return Object.fromEntries(names.flatMap((name) => (after[name] === before[name] ? [] : [[name, after[name] - before[name]]])))
}

/**
 * The tests of a case from its beginning to its end, independent of how the platform runs.
 * @returns a function for the path of the case, once it was created
 */
export function caseJourney(journey: () => CaseJourney): () => string {
  let path: string
  const put = (who: SignedIn, Issue: object) => async () => {
    const { status, text } = await who.api.put(path, { Issue })
    expect({ status, text }).toEqual({ status: 200, text: '{"status":"OK"}' })
  }

  it('begins without an owner, and is counted at once', async () => {
    const { expert, trainee, address } = journey()
    const change = await difference(trainee, async () => {
      const { status, headers, body } = await expert.api.post<{ id: number }>('/issue', { Issue: { subject: 'Annual statement' } })
      expect(status).toBe(201)
      path = `/issue/${body.id}`
      expect(headers.get('location')).toBe(`${address}/rest${path}`)
    })
    expect(change).toEqual({ unassigned: 1 })
  })

  it('is assigned to somebody, who is notified', async () => {
    const { expert, trainee, stream } = journey()
    const received = stream.next(({ event, data }) => event === 'issue' && data.includes('Annual statement') && data.includes('unaccepted'))
    expect(await difference(trainee, put(expert, { user_id: trainee.id }))).toEqual({ my: 1, unassigned: -1, unaccepted: 1 })
    await received
  })

  it('is accepted', async () => {
    const { trainee, stream } = journey()
    const received = stream.next(({ event }) => event === 'counter')
    expect(await difference(trainee, put(trainee, { status: 'open' }))).toEqual({ unaccepted: -1 })
    await received
    expect((await trainee.api.put(path, { Issue: { status: 'open' } })).status).toBe(409)
  })

  it('is delegated, and taken back', async () => {
    const { expert, trainee } = journey()
    expect(await difference(expert, put(trainee, { delegated_user_id: expert.id }))).toEqual({ delegated: 1 })
    expect(await difference(trainee, put(trainee, { delegated_user_id: null }))).toEqual({ delegated: -1 })
  })

  it('is closed, and not counted any more', async () => {
    const { trainee } = journey()
    expect(await difference(trainee, put(trainee, { status: 'closed' }))).toEqual({ my: -1 })
  })

  it('leaves counters that equal a recount', async () => {
    const { expert, trainee } = journey()
    const cases = await allCases(expert.api)
    for (const { id, api } of [expert, trainee]) expect(await countersOf(api)).toEqual(recount(cases, id))
  })

  return () => path
}
