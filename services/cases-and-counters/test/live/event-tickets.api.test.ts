import { eventually, type Person } from '@caseway/testing'
import { skewClock } from '@caseway/testing/skewed-clock'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Cases, openIssue, startCases } from '../support/cases.js'

let cases: Cases
beforeAll(async () => {
  cases = await startCases()
})
afterAll(() => cases.stop())

describe('POST /rest/event/ticket', () => {
  const ticketOf = async (person: Person<unknown>, address: 'expert' | 'client') => {
    const http = address === 'expert' ? cases.asExpert(person) : cases.asClient(person)
    return http.post<{ ticket: string; expires_in: number }>('/event/ticket')
  }
  const streamWith = (ticket: string, address = 'expert') => fetch(`${cases.service.httpUrl}/${address}/rest/event/stream?ticket=${ticket}`)

  it('opens one stream without a token', async () => {
    const { expert } = cases.office()
    const { status, body, headers } = await ticketOf(expert, 'expert')
    expect([status, body]).toEqual([201, { ticket: expect.stringMatching(/^[\w-]{43}$/), expires_in: 30 }])
    expect(headers.get('cache-control')).toBe('no-store')
    const answers = await Promise.all(Array.from({ length: 5 }, () => streamWith(body.ticket)))
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 401, 401, 401, 401])
    await Promise.all(answers.map((answer) => answer.body?.cancel()))
  })

  it.each([-5, 5])(
    'is valid for half a minute by the clock of the database, when that of the service is %i minutes off',
    async (minutes) => {
      const { expert } = cases.office()
      const restore = skewClock(minutes)
      const { body } = await ticketOf(expert, 'expert').finally(restore)
      const life =
        "SELECT expires - now() BETWEEN interval '20 seconds' AND interval '30 seconds' AS half FROM event_tickets WHERE user_id = $1"
      expect(await cases.database.rows(life, [expert.userId])).toEqual([{ half: true }])
      const answer = await streamWith(body.ticket)
      expect(answer.status).toBe(200)
      await answer.body?.cancel()
    },
  )

  it('is new for each request, even with an Idempotency-Key, and no answer is stored', async () => {
    const { expert } = cases.office()
    const ask = () => cases.asExpert(expert).post<{ ticket: string }>('/event/ticket', undefined, { 'idempotency-key': 'a' })
    const [first, again] = [(await ask()).body.ticket, (await ask()).body.ticket]
    expect(again).toMatch(/^[\w-]{43}$/)
    expect(again).not.toBe(first)
    const kept = 'SELECT FROM kit.idempotency_key WHERE caller LIKE $1'
    expect(await cases.database.rows(kept, [`employee:${expert.userId}@%`])).toEqual([])
  })

  it('opens a stream with the records that its holder may see', async () => {
    const office = cases.office()
    const client = cases.client(office)
    const { body } = await ticketOf(client, 'client')
    const stream = await cases.stream({ ...client, token: 'none' }, 'client', { query: `?ticket=${body.ticket}` })
    const id = await openIssue(cases.asExpert(office.expert), { user_client_id: String(client.userId) })
    const { data } = await stream.next(({ event }) => event === 'issue')
    expect(JSON.parse(data)).toEqual((await cases.asClient(client).get(`/issue/${id}`)).body)
    await stream.close()
  })

  /** Afterwards a row stays until the service itself deletes it. */
  async function stopPurge() {
    const stop = "UPDATE kit.schedule SET next = 'infinity' WHERE name = 'purge' AND rule <> '' RETURNING name"
    await eventually(async () => expect(await cases.database.rows(stop)).toHaveLength(1))
    const unfinished = "SELECT state FROM kit.job WHERE name = 'purge' AND state <> 'done'"
    await eventually(async () => expect(await cases.database.rows(unfinished)).toEqual([]))
  }

  it('is valid on its own address, for half a minute, and stored as a hash', async () => {
    await stopPurge()
    const office = cases.office()
    const { body: ofClient } = await ticketOf(cases.client(office), 'client')
    expect((await streamWith(ofClient.ticket, 'expert')).status).toBe(401)
    const { body } = await ticketOf(office.expert, 'expert')
    const [kept] = await cases.database.rows('SELECT t::text AS row FROM event_tickets t WHERE user_id = $1', [office.expert.userId])
    expect(JSON.stringify(kept)).not.toContain(body.ticket)
    await cases.database.rows("UPDATE event_tickets SET expires = expires - interval '31 seconds' WHERE user_id = $1", [
      office.expert.userId,
    ])
    expect((await streamWith(body.ticket)).status).toBe(401)
  })
})
