import type { HttpClient } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Cases, openIssue, startCases } from '../support/cases.js'

let cases: Cases
beforeAll(async () => {
  cases = await startCases()
})
afterAll(() => cases.stop())

const read = async (http: HttpClient, id: number) => (await http.get<{ Issue: Record<string, string | null> }>(`/issue/${id}`)).body.Issue
const put = (http: HttpClient, id: number, fields: Record<string, unknown>) => http.put(`/issue/${id}`, { Issue: fields })

const stateError = {
  status: 'error',
  errorMessages: 'The case is in a state that does not allow this.',
  errorCode: 'ISSUE_STATE',
}

/** Two colleagues of one office. */
const colleagues = () => {
  const { expert: anna, trainee: ben } = cases.office()
  return { ben, asAnna: cases.asExpert(anna), asBen: cases.asExpert(ben) }
}

describe('the state table over HTTP', () => {
  const statuses = ['new', 'unaccepted', 'open', 'pending', 'closed', 'rejected'] as const
  type Status = (typeof statuses)[number]
  const allowed: Record<Status, readonly Status[]> = {
    new: ['unaccepted', 'open', 'pending', 'closed', 'rejected'],
    unaccepted: ['new', 'open', 'rejected'],
    open: ['new', 'unaccepted', 'pending', 'closed'],
    pending: ['unaccepted', 'open', 'closed'],
    closed: ['open'],
    rejected: ['unaccepted', 'open'],
  }
  const prepare = async ({ ben, asAnna, asBen }: ReturnType<typeof colleagues>, status: Status) => {
    if (status === 'new') return openIssue(asAnna)
    const opener = status === 'unaccepted' || status === 'rejected' ? asAnna : asBen
    const id = await openIssue(opener, { user_id: String(ben.userId) })
    if (status !== 'unaccepted' && status !== 'open') await put(asBen, id, { status })
    return id
  }

  it.each(statuses)('from %s', async (from) => {
    const people = colleagues()
    for (const to of statuses) {
      const id = await prepare(people, from)
      const caller = to === 'rejected' ? people.asBen : people.asAnna
      const owner = from === 'new' && to === 'unaccepted' ? { user_id: String(people.ben.userId) } : {}
      const { status, body } = await put(caller, id, { status: to, ...owner })
      const expected = allowed[from].includes(to) ? [200, { status: 'OK' }, to] : [409, stateError, from]
      expect([from, to, status, body, (await read(people.asAnna, id)).status]).toEqual([from, to, ...expected])
    }
  })

  it('only the owner rejects an unaccepted case', async () => {
    const { ben, asAnna, asBen } = colleagues()
    const id = await openIssue(asAnna, { user_id: String(ben.userId) })
    expect((await put(asAnna, id, { status: 'rejected' })).body).toEqual(stateError)
    expect((await put(asBen, id, { status: 'rejected' })).status).toBe(200)
  })
})
