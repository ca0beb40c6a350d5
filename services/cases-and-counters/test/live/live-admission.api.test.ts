import { request } from 'node:http'
import { SessionEvent } from '@caseway/protos/auth/v1/events'
import { sessionTopic } from '@caseway/protos/topics'
import { eventually, type Person } from '@caseway/testing'
import { holdTransaction, untilWaiting } from '@caseway/testing/held-transaction'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { officeFeed } from '../../src/feed/feed.js'
import { type Cases, openIssue, startCases } from '../support/cases.js'
import { next, openStreams, openStreamsOf } from '../support/streams.js'

let cases: Cases
const { connect, closeAll } = openStreams(() => cases)
beforeAll(async () => {
  cases = await startCases()
})
afterEach(closeAll)
afterAll(() => cases.stop())

const inAQuarter = () => new Date(Date.now() + 900_000)
const end = ({ sessionId }: { sessionId: string }) =>
  cases.publish(sessionTopic, SessionEvent.fromPartial({ sessionId, change: { $case: 'ended', value: { endsAt: inAQuarter() } } }))

const ticketOf = async (person: Person<unknown>) => (await cases.asExpert(person).post<{ ticket: string }>('/event/ticket')).body.ticket
const streamUrl = () => `${cases.service.httpUrl}/expert/rest/event/stream`
const withTicket = (ticket: string, method = 'GET') => fetch(`${streamUrl()}?ticket=${ticket}`, { method })
const invalid = { status: 'error', errorMessages: 'The access token is not valid.', errorCode: 'TOKEN_INVALID' }

describe('the stream of a session that has ended', () => {
  it('is not opened by its ticket, in whatever order both are used', async () => {
    const { expert, specialist } = cases.office()
    const [ticket, other] = [await ticketOf(expert), await ticketOf(specialist)]
    await end(expert.caller)
    const refused = await withTicket(ticket)
    expect([refused.status, await refused.json()]).toEqual([401, invalid])
    const opened = await withTicket(other)
    expect(opened.status).toBe(200)
    await opened.body?.cancel()
  })

  it('is not opened by its token, and an open one ends', async () => {
    const { expert } = cases.office()
    const stream = await connect(expert)
    await next(stream, 'counter')
    await end(expert.caller)
    await stream.ended
    expect((await connect(expert)).status).toBe(401)
  })

  it('is not opened when the session ended before the service started', async () => {
    const other = await startCases({
      prepare: (auth) => auth.endedSessions.push({ sessionId: 'gone', endsAt: inAQuarter() }),
    })
    const { expert } = other.office()
    const token = other.issuer.tokenFor({ ...expert.caller, sessionId: 'gone' })
    const stream = await other.stream({ ...expert, token }, 'expert')
    expect(stream.status).toBe(401)
    await other.stop()
  })

  it('ends also while no events arrive, because auth is asked', async () => {
    const { expert } = cases.office()
    const stream = await connect(expert)
    await next(stream, 'counter')
    const { receiving } = cases.transport
    cases.transport.receiving = () => false
    cases.auth.endedSessions.push({ sessionId: expert.caller.sessionId, endsAt: inAQuarter() })
    await stream.ended
    cases.transport.receiving = receiving
    expect((await connect(expert)).status).toBe(401)
  })

  it('gets 503 while the ended sessions are not loaded, and everything else works', async () => {
    const other = await startCases({ variables: { AUTH_GRPC_ADDRESS: 'ipv4:127.0.0.1:1' } })
    const { expert } = other.office()
    const stream = await other.stream(expert, 'expert')
    expect([stream.status, stream.headers.get('retry-after')]).toEqual([503, '1'])
    expect((await other.asExpert(expert).get('/tag')).status).toBe(200)
    await other.stop()
  })
})

it('a malformed ticket is refused without a query', async () => {
  const holding = await holdTransaction(cases.database, 'LOCK TABLE event_tickets IN ACCESS EXCLUSIVE MODE')
  for (const ticket of ['x', 'x'.repeat(42), 'x'.repeat(44), `${'x'.repeat(42)}!`, `${'x'.repeat(43)}%0A`, '']) {
    const answer = await withTicket(ticket)
    expect([answer.status, await answer.json()]).toEqual([401, invalid])
  }
  // A well-formed ticket has to wait for the table.
  const wellFormed = withTicket('x'.repeat(43))
  await untilWaiting(cases.database, 1)
  await holding.rollback()
  expect((await wellFormed).status).toBe(401)
})

describe('HEAD', () => {
  const head = (token?: string, query = '') =>
    new Promise<{ status: number | undefined; type: string | undefined; length: string | undefined }>((resolve, reject) => {
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
      const streamRequest = request(
        `${streamUrl()}${query}`,
        { method: 'HEAD', headers, agent: false },
        ({ statusCode, headers, socket }) => {
          socket.destroy()
          resolve({ status: statusCode, type: headers['content-type'], length: headers['content-length'] })
        },
      )
      streamRequest.on('error', reject)
      streamRequest.end()
    })

  it('returns the headers of the stream and opens nothing', async () => {
    const { expert } = cases.office()
    const answers = await Promise.all(Array.from({ length: 50 }, () => head(expert.token)))
    for (const { status, type, length } of answers) {
      expect([status, type, length]).toEqual([200, 'text/event-stream; charset=utf-8', undefined])
    }
    expect(await openStreamsOf(cases)).toBe(0)
  })

  it('requires a token or a ticket, which it uses up', async () => {
    const { expert } = cases.office()
    expect((await head()).status).toBe(401)
    const ticket = await ticketOf(expert)
    expect((await head(undefined, `?ticket=${ticket}`)).status).toBe(200)
    expect((await withTicket(ticket)).status).toBe(401)
    await end(expert.caller)
    expect((await head(expert.token)).status).toBe(401)
  })
})

it('streams whose clients disconnect before the answer leave nothing behind', async () => {
  const { expert } = cases.office()
  const headers = { authorization: `Bearer ${expert.token}` }
  for (let i = 0; i < 30; i++) {
    const streamRequest = request(streamUrl(), { headers, agent: false })
    streamRequest.on('error', () => undefined)
    streamRequest.end(() => setImmediate(() => streamRequest.destroy()))
  }
  const stream = await connect(expert)
  await next(stream, 'counter')
  await stream.close()
  await eventually(async () => expect(await openStreamsOf(cases)).toBe(0))
})

describe('live streams are limited', () => {
  it('to ten for a session, whether by token or by ticket', async () => {
    const { expert, specialist } = cases.office()
    const streams = await Promise.all(Array.from({ length: 12 }, () => connect(expert)))
    expect(streams.map(({ status }) => status).sort()).toEqual([...Array(10).fill(200), 429, 429])
    const refused = streams.find(({ status }) => status === 429)
    expect(refused?.headers.get('retry-after')).toBe('10')
    expect((await withTicket(await ticketOf(expert))).status).toBe(429)
    expect((await connect(specialist)).status).toBe(200)
    await streams.find(({ status }) => status === 200)?.close()
    await eventually(async () => expect((await connect(expert)).status).toBe(200))
  })

  it('to fifty for a person, over all sessions', async () => {
    const { expert, customerId } = cases.office()
    const sessions = Array.from({ length: 6 }, (_, i) => ({
      ...expert,
      token: cases.issuer.tokenFor({ ...expert.caller, sessionId: `${customerId}-${i}` }),
    }))
    for (const person of sessions.slice(0, 5)) for (let i = 0; i < 10; i++) expect((await connect(person)).status).toBe(200)
    expect((await connect(sessions[5] as typeof expert)).status).toBe(429)
    const client = cases.client()
    const namesake = { ...client, token: cases.issuer.tokenFor({ ...client.caller, userId: expert.userId }) }
    expect((await connect(namesake, 'client')).status).toBe(200)
  })
})

it('a change is delivered even if its notification was lost', async () => {
  const office = cases.office()
  const id = await openIssue(cases.asExpert(office.expert))
  const stream = await connect(office.expert)
  await next(stream, 'counter')
  const feed = officeFeed(office.customerId)
  // As the service does, but without the notification.
  await cases.database.rows(
    `WITH advanced AS (UPDATE feeds SET revision = revision + 1 WHERE feed = $1 RETURNING feed, revision)
     INSERT INTO feed_entries (feed, revision, customer_id, issue_id, user_ids) SELECT feed, revision, $2, $3, '{}' FROM advanced`,
    [feed, office.customerId, id],
  )
  expect(await next(stream, 'issue')).toMatchObject({ Issue: { id: String(id) } })
})
