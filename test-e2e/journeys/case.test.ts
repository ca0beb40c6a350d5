import { type EventStream, eventStream } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Demo } from '../../deploy/local/src/demo/demo-file.js'
import { allCases, type CaseCounter, countersOf, recount } from '../support/cases.js'
import { type SignedIn, signInAs } from '../support/people.js'
import { type Launcher, launch, temporaryHome } from '../support/platform.js'

const { home, remove } = temporaryHome()
let launcher: Launcher
let demo: Demo
let expert: SignedIn
let trainee: SignedIn
let stream: EventStream

beforeAll(async () => {
  launcher = launch(home)
  demo = await launcher.ready()
  expert = await signInAs(demo, 'expert')
  trainee = await signInAs(demo, 'trainee')
  stream = await eventStream(`${demo.base_url}/rest/event/stream`, trainee.token)
})
afterAll(async () => {
  await stream?.close()
  await launcher?.stop()
  remove()
})

/** What a change does to somebody's counters, seen by the very next request. */
async function difference(who: SignedIn, change: () => Promise<unknown>): Promise<Partial<CaseCounter>> {
  const before = await countersOf(who.api)
  await change()
  const after = await countersOf(who.api)
  const names = Object.keys(after) as (keyof CaseCounter)[]
  return Object.fromEntries(names.flatMap((name) => (after[name] === before[name] ? [] : [[name, after[name] - before[name]]])))
}

describe('the way of a case', () => {
  let path: string
  const put = (who: SignedIn, Issue: object) => async () => {
    const { status, text } = await who.api.put(path, { Issue })
    expect({ status, text }).toEqual({ status: 200, text: '{"status":"OK"}' })
  }

  it('begins with nobody, and is counted at once', async () => {
    const change = await difference(trainee, async () => {
      const { status, headers, body } = await expert.api.post<{ id: number }>('/issue', { Issue: { subject: 'Annual statement' } })
      expect(status).toBe(201)
      path = `/issue/${body.id}`
      expect(headers.get('location')).toBe(`${demo.base_url}/rest${path}`)
    })
    expect(change).toEqual({ unassigned: 1 })
  })

  it('is given to somebody, who hears of it', async () => {
    const heard = stream.next(({ event, data }) => event === 'issue' && data.includes('Annual statement') && data.includes('unaccepted'))
    expect(await difference(trainee, put(expert, { user_id: trainee.id }))).toEqual({ my: 1, unassigned: -1, unaccepted: 1 })
    await heard
  })

  it('is accepted', async () => {
    const heard = stream.next(({ event }) => event === 'counter')
    expect(await difference(trainee, put(trainee, { status: 'open' }))).toEqual({ unaccepted: -1 })
    await heard
    expect((await trainee.api.put(path, { Issue: { status: 'open' } })).status).toBe(409)
  })

  it('is delegated, and taken back', async () => {
    expect(await difference(expert, put(trainee, { delegated_user_id: expert.id }))).toEqual({ delegated: 1 })
    expect(await difference(trainee, put(trainee, { delegated_user_id: null }))).toEqual({ delegated: -1 })
  })

  it('is closed, and counted no more', async () => {
    expect(await difference(trainee, put(trainee, { status: 'closed' }))).toEqual({ my: -1 })
  })

  it('leaves counters that equal a recount', async () => {
    const cases = await allCases(expert.api)
    for (const { id, api } of [expert, trainee]) expect(await countersOf(api)).toEqual(recount(cases, id))
  })
})

describe('the offices', () => {
  it('know nothing of each other', async () => {
    const stranger = await signInAs(demo, 'administrator', 1)
    const { body } = await expert.api.post<{ id: number }>('/issue', { Issue: { subject: 'Ours' } })
    const foreign = await stranger.api.get(`/issue/${body.id}`)
    const missing = await stranger.api.get('/issue/9007199254740991')
    expect(foreign.status).toBe(404)
    expect(foreign.text).toBe(missing.text)
  })
})
