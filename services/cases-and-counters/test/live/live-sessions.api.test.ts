import { SessionEvent } from '@caseway/protos/auth/v1/events'
import { sessionTopic } from '@caseway/protos/topics'
import { eventually, type Person, testTechnical } from '@caseway/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { type Cases, openIssue, startCases } from '../support/cases.js'
import { next, openStreams } from '../support/streams.js'

let cases: Cases
const { connect, closeAll } = openStreams(() => cases)
beforeAll(async () => {
  cases = await startCases()
})
afterEach(closeAll)
afterAll(() => cases.stop())

describe('a stream lives as long as its session', () => {
  it('and ends with it, while others continue', async () => {
    const office = cases.office()
    const [ending, staying] = [await connect(office.expert), await connect(office.specialist)]
    await next(ending, 'counter')
    await next(staying, 'counter')
    const { sessionId } = office.expert.caller
    const over = SessionEvent.fromPartial({ sessionId, change: { $case: 'ended', value: { endsAt: new Date() } } })
    await cases.publish(sessionTopic, SessionEvent.fromPartial({ sessionId }), over, over)
    await ending.ended
    await openIssue(cases.asExpert(office.trainee))
    await next(staying, 'issue')
  })

  it('and longer than its token', async () => {
    const office = cases.office()
    const { token, stream } = await eventually(async () => {
      const token = cases.issuer.tokenFor({ ...office.expert.caller, expiresInSeconds: 1 })
      const stream = await connect({ ...office.expert, token })
      expect(stream.status).toBe(200)
      return { token, stream }
    })
    await eventually(async () => expect((await cases.asExpert({ ...office.expert, token }).get('/tag')).status).toBe(401))
    await openIssue(cases.asExpert(office.trainee))
    await next(stream, 'issue')
  })
})

describe('access to the stream', () => {
  it('is refused without a token or a ticket, to technical accounts, and with a token of the other address', async () => {
    const office = cases.office()
    const technical = testTechnical(cases.issuer)
    const statusOf = async (person: Person<unknown>, address: 'expert' | 'client', method: string, path: string) =>
      (await (address === 'expert' ? cases.asExpert(person) : cases.asClient(person)).request(method, path)).status
    for (const [method, path] of [
      ['GET', '/event/stream'],
      ['POST', '/event/ticket'],
    ] as const) {
      const nobody = await cases.asExpert(office.expert).as(undefined).request(method, path)
      expect([nobody.status, nobody.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="expert"'])
      expect(await statusOf(technical, 'expert', method, path)).toBe(403)
      expect(await statusOf(office.expert, 'client', method, path)).toBe(401)
      expect(await statusOf(cases.client(office), 'expert', method, path)).toBe(401)
    }
    const wrong = await cases.asExpert(office.expert).get(`/event/stream?ticket=${'x'.repeat(101)}`)
    expect([wrong.status, wrong.body]).toEqual([400, expect.objectContaining({ errorMessages: { ticket: expect.any(String) } })])
  })

  it('is refused with a parameter that it does not have', async () => {
    const wrong = await cases.asExpert(cases.office().expert).get('/event/stream?event=counter')
    expect([wrong.status, wrong.body]).toEqual([400, { status: 'error', errorMessages: { event: 'is unknown' } }])
  })
})

it('a lost connection to the database is invisible to readers, and loses nothing', async () => {
  const office = cases.office()
  const stream = await connect(office.expert)
  await next(stream, 'counter')
  await cases.database.rows(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'",
  )
  const id = await openIssue(cases.asExpert(office.expert))
  expect(await next(stream, 'issue')).toMatchObject({ Issue: { id: String(id) } })
})

it('a service that stops ends its streams', async () => {
  const other = await startCases()
  const stream = await other.stream(other.office().expert, 'expert')
  await next(stream, 'counter')
  await other.stop()
  await stream.ended
})
