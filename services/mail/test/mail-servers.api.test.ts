import { createSecrets } from '@caseway/kit/secrets'
import { auditTopic } from '@caseway/protos/topics'
import { expertUrl, randomId, type TestTenant, testTechnical } from '@caseway/testing'
import { type TestService, testService } from '@caseway/testing/service'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { mail } from '../src/wiring.js'
import { createMailServer, newMailServer } from './support/mail-servers.js'

let service: TestService
let office: TestTenant
beforeAll(async () => {
  service = await testService(mail, {
    variables: { MAIL_ROLES: 'http', OUTBOUND_PRIVATE_HOSTS: 'mail.private.example,one.private.example:1143' },
  })
})
afterAll(() => service.stop())
beforeEach(() => {
  office = service.office()
})

const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
const done = { status: 'OK' }
const expert = () => service.asExpert(office.expert)
const one = async (http: ReturnType<typeof expert>, id: number) =>
  (await http.get<{ MailServer: Record<string, unknown> }>(`/mail_server/${id}`)).body.MailServer
const rowOf = async (id: number) => (await service.database.rows('SELECT * FROM mail_servers WHERE id = $1', [id]))[0]

describe('POST /rest/mail_server', () => {
  it('answers with the id, and GET with what the contract shows', async () => {
    const http = expert()
    const sent = { ...newMailServer, reply_to: 'office@office.example', server_secure: '1', download_attachments: 0 }
    const others = { request_read_receipt: '1', priority: 2, fetch_after_date: '2026-02-28' }
    const { status, headers, body } = await http.post<{ id: number }>('/mail_server', { MailServer: { ...sent, ...others } })
    expect([status, body]).toEqual([201, { id: expect.any(Number) }])
    expect(headers.get('location')).toBe(`${expertUrl}/rest/mail_server/${body.id}`)
    const shown = {
      ...{ id: String(body.id), customer_id: String(office.customerId), user_id: String(office.expert.userId) },
      ...{ user_name: 'Anna Nowak', user_email: 'anna@office.example', user_login: 'anna', user_password: 'a secret of Anna' },
      oauth_provider: null,
      ...{ reply_to: 'office@office.example', signature: '' },
      ...{ server_protocol: '2', server_address: 'imap.office.example', server_port: '993' },
      ...{ server_secure: '1', server_encryption: '2', download_attachments: '0', request_read_receipt: '1', priority: '2' },
      ...{ fetch_after_date: '2026-02-28', state: 'active', last_error: null, last_fetch_at: null, created: time, modified: time },
    }
    expect(await one(http, body.id)).toEqual(shown)
    expect((await http.get('/mail_server')).body).toEqual([{ MailServer: shown }])
  })

  it.each([
    [{ server_port: 993, server_encryption: undefined }, { server_encryption: '2' }],
    [{ server_port: 143, server_encryption: undefined }, { server_encryption: '1' }],
    [{ server_address: 'IMAP.Żółw.example' }, { server_address: 'imap.xn--w-uga1v8h.example' }],
    [{ server_address: '192.0.2.7' }, { server_address: '192.0.2.7' }],
    [{ server_address: 'mail.private.example', server_port: 20993 }, { server_port: '20993' }],
    [{ server_address: 'one.private.example', server_port: 1143 }, { server_port: '1143' }],
    [
      { server_protocol: '1', server_port: '587' },
      { server_protocol: '1', server_port: '587' },
    ],
    [
      { server_protocol: '3', server_port: '110' },
      { server_protocol: '3', server_port: '110' },
    ],
  ])('takes %j', async (fields, shown) => {
    const id = await createMailServer(expert(), fields)
    expect(await one(expert(), id)).toMatchObject(shown)
  })

  it.each([
    ['no password', { user_password: undefined }, 'user_password'],
    ['the mask for a password', { user_password: '********' }, 'user_password'],
    ['a password with a line break', { user_password: 'a\r\nb' }, 'user_password'],
    ['no login', { user_login: undefined }, 'user_login'],
    ['a login with NUL', { user_login: 'a\0' }, 'user_login'],
    ['a login with a line break', { user_login: 'a\nA1 LOGOUT' }, 'user_login'],
    ['a name with a line break', { user_name: 'a\r\nBcc: b' }, 'user_name'],
    ['no address', { user_email: undefined }, 'user_email'],
    ['an address with a line break', { user_email: 'a@b.example\r\n' }, 'user_email'],
    ['an address to reply to that is none', { reply_to: 'nobody' }, 'reply_to'],
    ['no protocol', { server_protocol: undefined }, 'server_protocol'],
    ['an unknown protocol', { server_protocol: 4 }, 'server_protocol'],
    ['no host', { server_address: undefined }, 'server_address'],
    ['a host with a port', { server_address: 'imap.office.example:25' }, 'server_address'],
    ['a host with a path', { server_address: 'imap.office.example/x' }, 'server_address'],
    ['a host with a space', { server_address: 'imap office' }, 'server_address'],
    ['a host with a line break', { server_address: 'imap.office.example\n' }, 'server_address'],
    ['a port of another protocol', { server_port: 25 }, 'server_port'],
    ['any other port', { server_port: 22 }, 'server_port'],
    ['another port of a host with one named port', { server_address: 'one.private.example', server_port: 1144 }, 'server_port'],
    ['an encryption that does not exist', { server_encryption: 3 }, 'server_encryption'],
    ['a flag that is none', { server_secure: 2 }, 'server_secure'],
    ['a priority that does not exist', { priority: 1 }, 'priority'],
    ['a day that does not exist', { fetch_after_date: '2026-02-30' }, 'fetch_after_date'],
  ])('refuses %s', async (_, fields, wrong) => {
    const { status, body } = await expert().post('/mail_server', { MailServer: { ...newMailServer, ...fields } })
    expect([status, body]).toEqual([400, { status: 'error', errorMessages: { [wrong]: expect.any(String) } }])
  })
})

describe('what is wrong with a mailbox', () => {
  const wrong = { user_password: 'is required', server_port: 'must be one of 143, 993' }

  it('is named all of it at once', async () => {
    const sent = { ...newMailServer, server_protocol: 2, server_port: 25, user_password: undefined }
    const post = (fields: object, path = '/mail_server') => expert().post(path, { MailServer: { ...sent, ...fields } })
    expect((await post({})).body).toEqual({ status: 'error', errorMessages: wrong })
    expect((await post({ priority: 1 })).body).toEqual({ status: 'error', errorMessages: { ...wrong, priority: expect.any(String) } })
    expect((await post({}, '/mail_server/test')).body).toEqual({ status: 'error', errorMessages: wrong })
  })

  it('is named all of it at once where it is changed, too', async () => {
    const id = await createMailServer(expert())
    const put = async (fields: object) => (await expert().put(`/mail_server/${id}`, { MailServer: { server_port: 25, ...fields } })).body
    expect(await put({})).toEqual({ status: 'error', errorMessages: wrong })
    expect(await put({ priority: 1 })).toEqual({ status: 'error', errorMessages: { ...wrong, priority: expect.any(String) } })
  })
})

describe('a password', () => {
  it('is shown to the owner, and to nobody else', async () => {
    const id = await createMailServer(expert())
    expect(await one(expert(), id)).toMatchObject({ user_password: 'a secret of Anna' })
    const trainee = service.asExpert(office.trainee)
    expect(await one(trainee, id)).toMatchObject({ user_password: '********' })
    expect((await trainee.get('/mail_server')).text).not.toContain('a secret of Anna')
  })

  it('is sealed for its row, and is nowhere in plain text', async () => {
    const id = await createMailServer(expert())
    const [row] = await service.database.rows<{ text: string; password: Buffer }>(
      'SELECT to_jsonb(mail_servers)::text AS text, password FROM mail_servers WHERE id = $1',
      [id],
    )
    for (const form of ['utf8', 'hex', 'base64'] as const) expect(row?.text).not.toContain(Buffer.from('a secret of Anna').toString(form))
    expect(row?.password.includes('a secret of Anna')).toBe(false)
    const events = await service.database.rows<{ text: string }>('SELECT to_jsonb(outbox)::text AS text FROM kit.outbox')
    expect(events.map(({ text }) => text).join()).not.toContain('a secret of Anna')
  })

  it.each(['********', undefined])('stays when %j is sent', async (user_password) => {
    const id = await createMailServer(expert())
    expect((await expert().put(`/mail_server/${id}`, { MailServer: { user_name: 'B', user_password } })).body).toEqual(done)
    expect(await one(expert(), id)).toMatchObject({ user_name: 'B', user_password: 'a secret of Anna' })
  })

  it('changes when another is sent', async () => {
    const id = await createMailServer(expert())
    await expert().put(`/mail_server/${id}`, { MailServer: { user_password: 'another' } })
    expect(await one(expert(), id)).toMatchObject({ user_password: 'another' })
  })

  it.each([
    { server_address: 'imap.elsewhere.example' },
    { server_port: 143 },
    { server_encryption: 0 },
    { server_protocol: 1, server_port: 465 },
  ])('is asked for again with %j', async (fields) => {
    const id = await createMailServer(expert())
    const before = await rowOf(id)
    for (const kept of [{}, { user_password: '********' }]) {
      const { status, body } = await expert().put(`/mail_server/${id}`, { MailServer: { ...fields, ...kept } })
      expect([status, body]).toEqual([400, { status: 'error', errorMessages: { user_password: 'is required' } }])
    }
    expect(await rowOf(id)).toEqual(before)
    expect((await expert().put(`/mail_server/${id}`, { MailServer: { ...fields, user_password: 'again' } })).status).toBe(200)
  })
})

describe('PUT /rest/mail_server/{id}', () => {
  it('changes what is sent and nothing that is read only', async () => {
    const id = await createMailServer(expert())
    const sent = { priority: '4', fetch_after_date: null, download_attachments: null, state: 'paused', user_id: '1', last_error: 'x' }
    expect((await expert().put(`/mail_server/${id}`, { MailServer: sent })).body).toEqual(done)
    expect(await one(expert(), id)).toMatchObject({
      ...{ priority: '4', fetch_after_date: null, download_attachments: null, state: 'active', last_error: null },
      user_id: String(office.expert.userId),
    })
  })

  it('is of the version that was read, also when messages were received meanwhile', async () => {
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
    expect(await rowOf(id)).toMatchObject({ state: 'active', last_error: null, failures: 0, refused_logins: 0, refused_since: null })
  })

  it('refuses a port that is not of the protocol, and an old version', async () => {
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
    expect(await one(expert(), id)).toMatchObject({ state: 'paused' })
    await service.database.rows('UPDATE mail_servers SET failures = 3 WHERE id = $1', [id])
    expect((await expert().post(`/mail_server/${id}/resume`)).body).toEqual(done)
    expect(await rowOf(id)).toMatchObject({ state: 'active', failures: 0 })
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
    const request = (http: ReturnType<typeof expert>) => http.request(method, path.replace(':id', '1'), sentBy(method))
    expect((await request(expert().as(undefined))).status).toBe(401)
    expect((await request(service.asExpert(testTechnical(service.issuer)))).status).toBe(403)
  })

  it.each(routes.filter(([method, path]) => path.includes(':id') && method !== 'GET'))('%s %s: its owner alone', async (method, path) => {
    const id = await createMailServer(expert())
    const before = await rowOf(id)
    const colleague = service.asExpert(office.specialist)
    expect((await colleague.request(method, path.replace(':id', String(id)), sentBy(method))).status).toBe(403)
    expect(await rowOf(id)).toEqual(before)
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

it('MASK_MAIL_PASSWORDS shows a password to nobody', async () => {
  const masked = await testService(mail, { variables: { MAIL_ROLES: 'http', MASK_MAIL_PASSWORDS: 'true' } })
  try {
    const http = masked.asExpert(masked.office().expert)
    const id = await createMailServer(http)
    expect((await http.get(`/mail_server/${id}`)).body).toMatchObject({ MailServer: { user_password: '********' } })
  } finally {
    await masked.stop()
  }
})

it('the command line encrypts passwords anew, each for its own mailbox', async () => {
  const [former, next] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64')) as [string, string]
  const rotating = await testService(mail, { variables: { MAIL_ROLES: 'http', MAIL_SECRET: next, MAIL_SECRET_PREVIOUS: former } })
  try {
    const here = rotating.office()
    const http = rotating.asExpert(here.expert)
    const id = await createMailServer(http)
    expect(await rotating.service.administration.reseal()).toBe(0)
    const sealed = createSecrets('mail', { secret: former, secretPrevious: [] }).sealer('mail-servers')
    const set = 'UPDATE mail_servers SET password = $2 WHERE id = $1'
    await rotating.database.rows(set, [id, sealed.seal(Buffer.from('of the former secret'), `mail_server ${id}`)])
    expect(await rotating.service.administration.reseal()).toBe(1)
    expect((await http.get(`/mail_server/${id}`)).body).toMatchObject({ MailServer: { user_password: 'of the former secret' } })
    expect(await rotating.service.administration.reseal()).toBe(0)
    await rotating.database.rows(set, [id, sealed.seal(Buffer.from('of another row'), 'mail_server 0')])
    await expect(rotating.service.administration.reseal()).rejects.toThrow()
  } finally {
    await rotating.stop()
  }
})
