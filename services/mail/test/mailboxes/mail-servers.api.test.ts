import { auditTopic } from '@caseway/protos/topics'
import { expertUrl, type HttpClient, randomId, type TestTenant, testTechnical } from '@caseway/testing'
import { type TestService, testService } from '@caseway/testing/service'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { mail } from '../../src/wiring.js'
import { createMailServer, newMailServer, rowOf, shownServer } from '../support/mail-servers.js'

let service: TestService
let office: TestTenant
beforeAll(async () => {
  service = await testService(mail, { variables: { MAIL_ROLES: 'http' } })
})
afterAll(() => service.stop())
beforeEach(() => {
  office = service.office()
})

const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
const done = { status: 'OK' }
const expert = () => service.asExpert(office.expert)

describe('POST /rest/mail_server', () => {
  it('answers with the id, and GET with the fields of the contract', async () => {
    const http = expert()
    const sent = { ...newMailServer, reply_to: 'office@office.example', server_secure: '1', download_attachments: 0 }
    const others = { request_read_receipt: '1', priority: 2, fetch_after_date: '2026-02-28' }
    const { status, headers, body } = await http.post<{ id: number }>('/mail_server', { MailServer: { ...sent, ...others } })
    expect([status, body]).toEqual([201, { id: expect.any(Number) }])
    expect(headers.get('location')).toBe(`${expertUrl}/rest/mail_server/${body.id}`)
    const shown = {
      id: String(body.id),
      ...{ user_name: 'Anna Nowak', user_email: 'anna@office.example', user_login: 'anna', user_password: 'a secret of Anna' },
      oauth_provider: null,
      ...{ reply_to: 'office@office.example', signature: '' },
      ...{ server_protocol: '2', server_address: 'imap.office.example', server_port: '993' },
      ...{ server_secure: '1', server_encryption: '2', download_attachments: '0', request_read_receipt: '1', priority: '2' },
      ...{ customer_id: String(office.customerId), user_id: String(office.expert.userId) },
      ...{ fetch_after_date: '2026-02-28', state: 'active', last_error: null, last_fetch_at: null, created: time, modified: time },
    }
    expect(Object.entries(await shownServer(http, body.id))).toEqual(Object.entries(shown))
    expect((await http.get('/mail_server')).body).toEqual([{ MailServer: shown }])
  })
})

describe('PUT /rest/mail_server/{id}', () => {
  it('changes the fields that are sent, and no read-only field', async () => {
    const id = await createMailServer(expert())
    const sent = { priority: '4', fetch_after_date: null, download_attachments: null, state: 'paused', user_id: '1', last_error: 'x' }
    expect((await expert().put(`/mail_server/${id}`, { MailServer: sent })).body).toEqual(done)
    expect(await shownServer(expert(), id)).toMatchObject({
      ...{ priority: '4', fetch_after_date: null, download_attachments: null, state: 'active', last_error: null },
      user_id: String(office.expert.userId),
    })
  })

  it('accepts the version that was read, even if messages were received meanwhile', async () => {
    const id = await createMailServer(expert())
    const etag = (await expert().get(`/mail_server/${id}`)).headers.get('etag') ?? ''
    await service.database.rows('UPDATE mail_servers SET last_fetch_at = now() WHERE id = $1', [id])
    expect((await expert().put(`/mail_server/${id}`, { MailServer: { user_name: 'Ada' } }, { 'if-match': etag })).status).toBe(200)
    expect((await expert().put(`/mail_server/${id}`, { MailServer: { user_name: 'Bea' } }, { 'if-match': etag })).status).toBe(412)
  })

  it('starts a mailbox that was stopped', async () => {
    const id = await createMailServer(expert())
    await service.database.rows(
      "UPDATE mail_servers SET state = 'auth_failed', last_error = 'auth', failures = 5, refused_logins = 5, refused_since = now() WHERE id = $1",
      [id],
    )
    await expert().put(`/mail_server/${id}`, { MailServer: { user_name: 'B' } })
    expect(await rowOf(service, id)).toMatchObject({
      state: 'active',
      last_error: null,
      failures: 0,
      refused_logins: 0,
      refused_since: null,
    })
  })

  it.each([
    ['of another login', { user_login: 'bea', user_password: 'x' }, 0],
    ['on another server', { server_address: 'imap.elsewhere.example', user_password: 'x' }, 0],
    ['of another protocol', { server_protocol: 3, server_port: 995, user_password: 'x' }, 0],
    ['that is the same', { user_login: 'anna', server_address: 'imap.office.example', user_password: 'x' }, 1],
  ])('deletes the cursors of a mailbox %s', async (_, fields, left) => {
    const id = await createMailServer(expert())
    const folders = (sql: string) => service.database.rows(`${sql} WHERE mail_server_id = ${id}`)
    await service.database.rows(
      `INSERT INTO remote_folders (customer_id, mail_server_id, path, uid_validity, last_uid) VALUES (${office.customerId}, ${id}, 'INBOX', 1, 9)`,
    )
    expect((await expert().put(`/mail_server/${id}`, { MailServer: fields })).body).toEqual(done)
    expect(await folders('SELECT FROM remote_folders')).toHaveLength(left)
  })

  it('refuses a port of another protocol, and an old version', async () => {
    const id = await createMailServer(expert())
    const put = (fields: object, headers = {}) => expert().put(`/mail_server/${id}`, { MailServer: fields }, headers)
    expect((await put({ server_port: 22, user_password: 'x' })).body).toEqual({
      ...{ status: 'error', errorMessages: { server_port: 'must be one of 143, 993' } },
    })
    expect((await put({ user_name: 'x' }, { 'if-match': '"7"' })).status).toBe(412)
  })
})

describe('POST /rest/mail_server/{id}/pause and /resume', () => {
  it('stop a mailbox until it is resumed, whatever is changed meanwhile', async () => {
    const id = await createMailServer(expert())
    expect((await expert().post(`/mail_server/${id}/pause`)).body).toEqual(done)
    await expert().put(`/mail_server/${id}`, { MailServer: { user_name: 'B' } })
    expect(await shownServer(expert(), id)).toMatchObject({ state: 'paused' })
    await service.database.rows('UPDATE mail_servers SET failures = 3 WHERE id = $1', [id])
    expect((await expert().post(`/mail_server/${id}/resume`)).body).toEqual(done)
    expect(await rowOf(service, id)).toMatchObject({ state: 'active', failures: 0 })
  })
})

describe('DELETE /rest/mail_server/{id}', () => {
  it('removes the mailbox', async () => {
    const id = await createMailServer(expert())
    expect((await expert().delete(`/mail_server/${id}`)).body).toEqual(done)
    expect((await expert().get(`/mail_server/${id}`)).status).toBe(404)
  })
})

describe('who may', () => {
  const routes = [
    ...['GET', 'POST'].map((method) => [method, '/mail_server']),
    ...['GET', 'PUT', 'DELETE'].map((method) => [method, '/mail_server/:id']),
    ...['pause', 'resume'].map((action) => ['POST', `/mail_server/:id/${action}`]),
  ] as [string, string][]
  const sentBy = (method: string) => (method === 'PUT' || method === 'POST' ? { MailServer: newMailServer } : undefined)

  it.each(routes)('%s %s: experts, specialists and trainees, no administrators, and nobody without a token', async (method, path) => {
    const statusOf = async (role: 'administrator' | 'expert' | 'specialist' | 'trainee') => {
      const own = role === 'administrator' ? 1 : await createMailServer(service.asExpert(office[role]))
      return (await service.asExpert(office[role]).request(method, path.replace(':id', String(own)), sentBy(method))).status
    }
    expect(await statusOf('administrator')).toBe(403)
    for (const role of ['expert', 'specialist', 'trainee'] as const) expect([200, 201]).toContain(await statusOf(role))
    const request = (http: HttpClient) => http.request(method, path.replace(':id', '1'), sentBy(method))
    expect((await request(expert().as(undefined))).status).toBe(401)
    expect((await request(service.asExpert(testTechnical(service.issuer)))).status).toBe(403)
  })

  it.each(routes.filter(([method, path]) => path.includes(':id') && method !== 'GET'))('%s %s: its owner alone', async (method, path) => {
    const id = await createMailServer(expert())
    const before = await rowOf(service, id)
    const colleague = service.asExpert(office.specialist)
    expect((await colleague.request(method, path.replace(':id', String(id)), sentBy(method))).status).toBe(403)
    expect(await rowOf(service, id)).toEqual(before)
  })

  it.each(routes.filter(([, path]) => path.includes(':id')))('%s %s: a mailbox of another office is the same 404', async (method, path) => {
    const id = await createMailServer(expert())
    const stranger = service.asExpert(service.office().expert)
    const foreign = await stranger.request(method, path.replace(':id', String(id)), sentBy(method))
    const unknown = await stranger.request(method, path.replace(':id', String(randomId())), sentBy(method))
    expect([foreign.status, foreign.text]).toEqual([404, unknown.text])
  })
})

it('the audit trail names what was done, and no value', async () => {
  const id = await createMailServer(expert())
  await expert().put(`/mail_server/${id}`, { MailServer: { user_password: 'another', user_name: 'B' } })
  await expert().delete(`/mail_server/${id}`)
  const trail = (await service.published(auditTopic)).flatMap(({ event }) => (event.subject === `mail_server:${id}` ? [event.kind] : []))
  expect(trail).toEqual(['mail_server.created', 'mail_server.changed', 'mail_server.password_changed', 'mail_server.deleted'])
})
