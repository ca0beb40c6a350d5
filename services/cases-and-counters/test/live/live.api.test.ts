import { Folder } from '@caseway/protos/mail/v1/events'
import { folderCountTopic } from '@caseway/protos/topics'
import type { EventStream } from '@caseway/testing'
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

const none = { my: 0, unassigned: 0, unaccepted: 0, delegated: 0 }
const lastIdOf = ({ events }: EventStream) => events.findLast(({ id }) => id !== undefined)?.id
const eventsOf = ({ events }: EventStream) => events.map(({ event, data }) => [event, JSON.parse(data)])

describe('GET /rest/event/stream', () => {
  it('begins with the present counters, and is not buffered', async () => {
    const { expert } = cases.office()
    await openIssue(cases.asExpert(expert), { user_id: String(expert.userId) })
    const stream = await connect(expert)
    expect(stream.status).toBe(200)
    expect(stream.headers.get('content-type')).toMatch(/^text\/event-stream/)
    expect(stream.headers.get('cache-control')).toBe('no-cache')
    expect(stream.headers.get('x-accel-buffering')).toBe('no')
    expect(stream.headers.get('x-request-id')).toEqual(expect.any(String))
    const { Counter } = await next(stream, 'counter')
    expect(Counter).toMatchObject({ Issue: { ...none, my: 1 }, MailReceivedMysqlMessage: { drafts: 0, customFolders: {} } })
  })

  it('sends a change: the case as GET shows it, and the counters of those whose counters change', async () => {
    const office = cases.office()
    const [anna, ben, clara] = await Promise.all([office.expert, office.specialist, office.trainee].map((person) => connect(person)))
    const streams = [anna, ben, clara] as [EventStream, EventStream, EventStream]
    for (const stream of streams) await next(stream, 'counter')
    const http = cases.asExpert(office.expert)
    const id = await openIssue(http, { user_id: String(office.specialist.userId) })
    const seen = await next(streams[1], 'issue')
    expect(seen).toEqual((await http.get(`/issue/${id}`)).body)
    expect(await next(streams[1], 'counter')).toMatchObject({ Counter: { Issue: { ...none, my: 1, unaccepted: 1 } } })
    expect(await next(streams[2], 'issue')).toEqual(seen)
    await http.delete(`/issue/${id}`)
    expect(await next(streams[2], 'issue')).toEqual({ Issue: { id: String(id) } })
    expect(streams[2].events.map(({ event }) => event)).toEqual(['counter', 'issue', 'issue'])
  })

  it('sends many quick changes together, with the last state at the end', async () => {
    const office = cases.office()
    const http = cases.asExpert(office.expert)
    const id = await openIssue(http)
    const stream = await connect(office.trainee)
    await next(stream, 'counter')
    for (let i = 1; i <= 20; i++) await http.put(`/issue/${id}`, { Issue: { subject: `Version ${i}` } })
    await next(stream, 'issue', ({ Issue }) => Issue.subject === 'Version 20')
    expect(stream.events.filter(({ event }) => event === 'issue').length).toBeLessThan(20)
  })

  it('sends new mail counts to those who see the folder', async () => {
    const office = cases.office()
    const { customerId } = office
    cases.auth.rights.set(office.specialist.userId, ['mailbox.crm_folders.clients'])
    const [anna, ben, clara] = [await connect(office.expert), await connect(office.specialist), await connect(office.trainee)]
    for (const stream of [anna, ben, clara]) await next(stream, 'counter')
    const drafts = { customerId, userId: office.expert.userId, folder: Folder.DRAFTS, folderId: 0n, count: 3, revision: 1n, removed: false }
    await cases.publish(folderCountTopic, drafts, drafts)
    expect(await next(anna, 'counter')).toMatchObject({ Counter: { MailReceivedMysqlMessage: { drafts: 3 } } })
    await cases.publish(folderCountTopic, { ...drafts, userId: 0n, folder: Folder.CLIENTS, count: 7 })
    expect(await next(ben, 'counter')).toMatchObject({ Counter: { MailReceivedMysqlMessage: { clients: 7, drafts: 0 } } })
    expect(ben.events).toHaveLength(2)
    expect(await next(clara, 'counter')).toMatchObject({ Counter: { MailReceivedMysqlMessage: { clients: 0 } } })
  })

  it('sends counters that a recount has corrected', async () => {
    const office = cases.office()
    await openIssue(cases.asExpert(office.expert))
    await cases.database.rows('UPDATE issue_counters SET value = 9 WHERE customer_id = $1', [office.customerId])
    const stream = await connect(office.trainee)
    expect(await next(stream, 'counter')).toMatchObject({ Counter: { Issue: { unassigned: 9 } } })
    expect(await cases.recount(office.customerId)).toBe(8)
    expect(await next(stream, 'counter')).toMatchObject({ Counter: { Issue: { unassigned: 1 } } })
  })

  it('does not mix two offices', async () => {
    const [here, there] = [cases.office(), cases.office()]
    const stream = await connect(here.expert)
    await next(stream, 'counter')
    const foreign = await openIssue(cases.asExpert(there.expert))
    const own = await openIssue(cases.asExpert(here.expert))
    expect(await next(stream, 'issue')).toMatchObject({ Issue: { id: String(own) } })
    expect(JSON.stringify(eventsOf(stream))).not.toContain(`"id":"${foreign}"`)
  })
})

describe('a client’s stream', () => {
  it('sends their own cases of all offices, as GET shows them', async () => {
    const [here, there] = [await cases.officeIn('Asia/Tokyo'), cases.office()]
    const client = cases.client(here, there)
    const stream = await connect(client, 'client')
    const other = cases.client(here)
    await openIssue(cases.asExpert(here.expert), { user_client_id: String(other.userId) })
    const first = await openIssue(cases.asExpert(here.expert), { user_client_id: String(client.userId), priority: 2 })
    expect(await next(stream, 'issue')).toEqual((await cases.asClient(client).get(`/issue/${first}`)).body)
    const second = await openIssue(cases.asExpert(there.expert), { user_client_id: String(client.userId) })
    expect(await next(stream, 'issue')).toEqual((await cases.asClient(client).get(`/issue/${second}`)).body)
    expect(stream.events).toHaveLength(2)
  })

  it('sends only the id of a case that is no longer theirs', async () => {
    const office = cases.office()
    const [client, other] = [cases.client(office), cases.client(office)]
    const http = cases.asExpert(office.expert)
    const id = await openIssue(http, { user_client_id: String(client.userId) })
    const [mine, others] = [await connect(client, 'client'), await connect(other, 'client')]
    await http.put(`/issue/${id}`, { Issue: { user_client_id: String(other.userId) } })
    expect(await next(mine, 'issue')).toEqual({ Issue: { id: String(id) } })
    expect(await next(others, 'issue')).toMatchObject({ Issue: { user_client_id: String(other.userId) } })
  })

  it('resumes across their offices', async () => {
    const [here, there] = [cases.office(), cases.office()]
    const client = cases.client(here, there)
    const owned = { user_client_id: String(client.userId) }
    const stream = await connect(client, 'client')
    const seen = await openIssue(cases.asExpert(here.expert), owned)
    await next(stream, 'issue')
    await stream.close()
    const missed = [await openIssue(cases.asExpert(there.expert), owned), await openIssue(cases.asExpert(here.expert), owned)]
    const again = await connect(client, 'client', { lastEventId: lastIdOf(stream) ?? '' })
    for (const id of missed) expect(await next(again, 'issue')).toMatchObject({ Issue: { id: String(id) } })
    expect(JSON.stringify(eventsOf(again))).not.toContain(`"id":"${seen}"`)
  })
})

describe('Last-Event-ID', () => {
  it('resumes with the missed changes, and with the counters only if they may have changed', async () => {
    const office = cases.office()
    const http = cases.asExpert(office.expert)
    const first = await connect(office.trainee)
    await next(first, 'counter')
    await first.close()
    const id = await openIssue(http, { user_id: String(office.expert.userId) })
    await http.put(`/issue/${id}`, { Issue: { subject: 'Missed' } })
    const second = await connect(office.trainee, 'expert', { lastEventId: lastIdOf(first) ?? '' })
    expect(await next(second, 'issue')).toMatchObject({ Issue: { subject: 'Missed' } })
    await second.close()
    const nothing = await connect(office.trainee, 'expert', { lastEventId: lastIdOf(second) ?? '' })
    const later = await openIssue(http, { user_id: String(office.trainee.userId) })
    expect(await next(nothing, 'issue')).toMatchObject({ Issue: { id: String(later) } })
    expect(await next(nothing, 'counter')).toMatchObject({ Counter: { Issue: { my: 1 } } })
    expect(second.events.concat(nothing.events).map(({ event }) => event)).toEqual(['issue', 'issue', 'notification', 'counter'])
  })

  it('that is too old causes a reset with the present counters', async () => {
    const office = cases.office()
    const http = cases.asExpert(office.expert)
    await openIssue(http)
    const first = await connect(office.expert)
    await next(first, 'counter')
    await first.close()
    await openIssue(http)
    await openIssue(http)
    await cases.database.rows('DELETE FROM feed_entries WHERE customer_id = $1 AND revision = 2', [office.customerId])
    const again = await connect(office.expert, 'expert', { lastEventId: lastIdOf(first) ?? '' })
    expect(await next(again, 'reset')).toEqual({})
    expect(await next(again, 'counter')).toMatchObject({ Counter: { Issue: { unassigned: 3 } } })
    expect(again.events).toHaveLength(2)
  })

  it.each(['nonsense', '%00', Buffer.from('office:1 5').toString('base64url')])(
    'that is invalid (%s) causes a reset',
    async (lastEventId) => {
      const stream = await connect(cases.office().expert, 'expert', { lastEventId })
      await next(stream, 'reset')
      await next(stream, 'counter')
    },
  )
})
