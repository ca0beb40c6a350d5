import { randomUUID } from 'node:crypto'
import type { AuditEvent } from '@caseway/kit/audit'
import { auditTopic } from '@caseway/protos/topics'
import { type HttpClient, randomId } from '@caseway/testing'
import { publishEvents } from '@caseway/testing/publish'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { type Auth, type Office, startAuthService } from './support/auth.js'

let auth: Auth
beforeAll(async () => {
  auth = await startAuthService()
})
afterAll(() => auth.stop())

type Listed = { AuditEvent: Record<string, string | null> }[]
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)

async function here(): Promise<{ office: Office; http: HttpClient; trainee: HttpClient }> {
  const office = await auth.office()
  return { office, http: await auth.asExpert(office.administrator), trainee: await auth.asExpert(office.trainee) }
}
const listed = async (http: HttpClient, query = '') =>
  (await http.get<Listed>(`/audit_event${query}`)).body.map(({ AuditEvent }) => AuditEvent)
const refused = async (http: HttpClient) => expect((await http.post('/user_role', { UserRole: { name: 'x' } })).status).toBe(403)

describe('GET /rest/audit_event', () => {
  it('shows refused requests with caller, address and request id', async () => {
    const { office, http, trainee } = await here()
    const headers = { 'x-forwarded-for': '198.51.100.7, 203.0.113.9', 'x-request-id': randomUUID() }
    await trainee.post('/user_role', { UserRole: { name: 'x' } }, headers)
    const [event, ...others] = await listed(http, '?kind=right.refused')
    expect([event, others]).toEqual([
      {
        ...{ id: expect.stringMatching(/^\d+$/), customer_id: String(office.customerId), kind: 'right.refused' },
        ...{ actor: `employee:${office.trainee.id}`, subject: null, address: '203.0.113.9', request_id: headers['x-request-id'] },
        ...{ details: '{"route": "/expert/rest/user_role", "method": "POST"}', created: timestamp, modified: timestamp },
      },
      [],
    ])
    const one = await http.get(`/audit_event/${event?.id}`)
    expect([one.status, one.body]).toEqual([200, { AuditEvent: event }])
  })

  it('can be filtered, sorted and paged', async () => {
    const { office, http, trainee } = await here()
    const specialist = await auth.asExpert(office.specialist)
    for (const caller of [trainee, trainee, specialist]) await refused(caller)
    const actor = `employee:${office.trainee.id}`
    expect(await listed(http, `?kind=right.refused&actor=${actor}`)).toHaveLength(2)
    expect(await listed(http, '?kind=right.refused&actor=employee:1')).toEqual([])
    expect(await listed(http, '?kind=right.refused&modified_since=2999-01-01%2000:00:00')).toEqual([])
    expect(await listed(http, '?kind=right.refused&modified_since=2020-01-01%2000:00:00')).toHaveLength(3)
    const page = await http.get<Listed>('/audit_event?kind=right.refused&sort=-id&limit=2&count=1')
    expect(page.body.map(({ AuditEvent }) => AuditEvent.actor)).toEqual([`employee:${office.specialist.id}`, actor])
    expect([page.headers.get('x-total-count'), page.headers.get('link')]).toEqual(['3', expect.stringContaining('rel="next"')])
    const wrong = await http.get('/audit_event?kind=everything&color=red')
    expect([wrong.status, wrong.body]).toMatchObject([400, { errorMessages: { kind: expect.any(String), color: expect.any(String) } }])
  })

  it('is for administrators only', async () => {
    const { office, http, trainee } = await here()
    await refused(trainee)
    const [event] = await listed(http)
    for (const path of ['/audit_event', `/audit_event/${event?.id}`]) {
      expect((await http.as(undefined).get(path)).status).toBe(401)
      for (const person of [office.expert, office.specialist, office.trainee]) {
        expect((await (await auth.asExpert(person)).get(path)).status).toBe(403)
      }
    }
  })

  it('another office’s row is the same 404 as one that does not exist', async () => {
    const { http, trainee } = await here()
    const { http: strangers } = await here()
    await refused(trainee)
    const [event] = await listed(http)
    const [foreign, unknown] = [await strangers.get(`/audit_event/${event?.id}`), await strangers.get(`/audit_event/${randomId()}`)]
    expect([foreign.status, foreign.text]).toEqual([404, unknown.text])
    expect(await listed(strangers, `?request_id=${event?.request_id}`)).toEqual([])
  })

  it('is read-only over HTTP', async () => {
    const { http } = await here()
    expect((await http.post('/audit_event', { AuditEvent: { kind: 'right.refused' } })).status).toBe(405)
    expect((await http.put('/audit_event/1', { AuditEvent: { kind: 'right.refused' } })).status).toBe(405)
    expect((await http.delete('/audit_event/1')).status).toBe(405)
  })
})

describe('the table', () => {
  const rowOf = async (created: string) => {
    const statement =
      "INSERT INTO audit_events (customer_id, kind, created) VALUES ($1, 'right.refused', now() - $2::interval) RETURNING id"
    const [row] = await auth.database.rows<{ id: string }>(statement, [String(randomId()), created])
    return row?.id
  }
  const asService = async <T>(work: (connection: pg.Client) => Promise<T>) => {
    const connection = new pg.Client(auth.database.url)
    await connection.connect()
    await connection.query("SELECT set_config('app.platform', 'on', false)")
    return work(connection).finally(() => connection.end())
  }

  it('is append-only for the role of the service and for the owner', async () => {
    const id = await rowOf('1 day')
    const statements = [`UPDATE audit_events SET kind = 'x' WHERE id = ${id}`, `DELETE FROM audit_events WHERE id = ${id}`]
    for (const statement of statements) {
      await expect(asService((connection) => connection.query(statement))).rejects.toThrow('append only')
      await expect(auth.database.rows(statement)).rejects.toThrow('append only')
    }
    await expect(auth.database.rows('TRUNCATE audit_events')).rejects.toThrow('append only')
    expect(await auth.database.rows('SELECT kind FROM audit_events WHERE id = $1', [id])).toEqual([{ kind: 'right.refused' }])
  })

  it('allows the deletion of rows that are older than a year', async () => {
    const [old, recent] = [await rowOf('366 days'), await rowOf('364 days')]
    const remove = (id?: string) => asService((connection) => connection.query('DELETE FROM audit_events WHERE id = $1', [id]))
    expect((await remove(old)).rowCount).toBe(1)
    await expect(remove(recent)).rejects.toThrow('append only')
  })
})

describe('an event of another service', () => {
  const event = (customerId: bigint, more: Partial<AuditEvent> = {}): AuditEvent => ({
    ...{ customerId, kind: 'issue.deleted', actor: 'employee:7', subject: 'issue:9', address: '203.0.113.9', requestId: 'r-1' },
    ...{ details: { number: '12', password: 'never', constructor: 'never' }, ...more },
  })

  it('is stored once, however often it is delivered, with its own time and the known details', async () => {
    const { office, http } = await here()
    const id = randomUUID()
    const time = new Date('2026-01-02T03:04:05Z')
    const deleted = event(office.customerId)
    await publishEvents(auth.transport, auditTopic, [deleted, deleted, deleted], { id, time })
    await publishEvents(auth.transport, auditTopic, [event(office.customerId, { kind: 'of.a.newer.build' })], { time })
    const events = await listed(http, '?actor=employee:7')
    expect(events.map(({ kind }) => kind)).toEqual(['issue.deleted', 'of.a.newer.build'])
    expect(events[0]).toMatchObject({ subject: 'issue:9', request_id: 'r-1', details: '{"number": "12"}', created: '2026-01-02 04:04:05' })
  })
})

describe('a command of the operator', () => {
  const trailOf = (...subjects: string[]) =>
    auth.database.rows('SELECT customer_id, kind, actor, details FROM audit_events WHERE subject = ANY($1) ORDER BY id', [subjects])

  it('is recorded for the office or the installation, without secrets', async () => {
    const { administration } = auth.service
    const office = await auth.office()
    const { id } = await auth.client(office)
    const clientId = randomUUID()
    const { secret } = await administration.createApplication(clientId, 'technical', 'Platform')
    const renewed = await administration.renewSecret(clientId)
    await administration.setPassword({ kind: 'employee', id: office.trainee.id }, 'Kanarek-password')
    const kid = await administration.rotateKeys()
    const by = (kind: string, customerId: bigint | null, details = {}) => ({
      ...{ kind, customer_id: customerId === null ? null : String(customerId), actor: 'command line', details },
    })
    expect(await trailOf(`customer:${office.customerId}`)).toEqual([by('office.created', office.customerId)])
    expect(await trailOf(`employee:${office.trainee.id}`)).toEqual([
      by('user.created', office.customerId),
      by('password.changed', office.customerId),
    ])
    expect(await trailOf(`client:${id}`)).toEqual([
      by('client.created', office.customerId),
      by('link.changed', office.customerId, { state: 'active', banned: '0' }),
    ])
    expect(await trailOf(`application:${clientId}`)).toEqual([
      by('application.created', null),
      by('application.changed', null, { fields: 'secret' }),
    ])
    expect(await trailOf(`signing_key:${kid}`)).toEqual([by('key.rotated', null)])
    const everything = JSON.stringify(await auth.database.rows('SELECT * FROM audit_events'))
    for (const bird of [secret, renewed, 'Kanarek', office.trainee.username]) expect(everything).not.toContain(bird)
  })
})

describe('a session', () => {
  it('is recorded from its start to its end, with the failed attempts', async () => {
    const { office, http } = await here()
    const actor = `employee:${office.expert.id}`
    const wrong = { grant_type: 'password', client_id: auth.clientId, username: office.expert.username, password: 'Kanarek-guess' }
    expect((await auth.token(wrong)).status).toBe(400)
    const expert = await auth.asExpert(office.expert)
    const guess = { User: { password: 'Kanarek-password', current_password: 'Kanarek-guess' } }
    expect((await expert.put('/user/me', guess)).status).toBe(400)
    expect((await expert.delete('/token')).status).toBe(200)
    const events = await listed(http, `?subject=${actor}&sort=id`)
    expect(events.map(({ kind, actor }) => [kind, actor])).toEqual([
      ['user.created', 'command line'],
      ['session.refused', null],
      ['session.started', actor],
      ['password.refused', actor],
      ['session.ended', actor],
    ])
    expect(JSON.stringify(events)).not.toContain('Kanarek')
  })
})

describe('a change by an administrator', () => {
  it('is recorded in the transaction of the change', async () => {
    const { office, http } = await here()
    const subject = `employee:${office.trainee.id}`
    const path = `/user/${office.trainee.id}`
    const permission = [{ UserPermission: { key: 'reports.all', allowed: '1' } }, { UserPermission: { key: 'users.manage', allowed: '0' } }]
    expect((await http.put(`${path}/permission`, permission)).status).toBe(200)
    expect((await http.put(path, { User: { password: 'a new password', email: `${randomUUID()}@office.test` } })).status).toBe(200)
    expect((await http.put(path, { User: { active: 0 } }, { 'if-match': '"99"' })).status).toBe(412)
    expect((await http.put(path, { User: { firstname: 'Eva' } })).status).toBe(200)
    expect((await http.delete(path)).status).toBe(200)
    const events = await listed(http, `?subject=${subject}&actor=employee:${office.administrator.id}`)
    expect(events.map(({ kind, details }) => [kind, JSON.parse(details ?? '')])).toEqual([
      ['right.changed', { allowed: 'reports.all', denied: 'users.manage' }],
      ['user.changed', { fields: 'email' }],
      ['password.changed', {}],
      ['user.changed', { fields: 'active', state: 'inactive' }],
    ])
  })
})
