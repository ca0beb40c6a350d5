import { randomUUID } from 'node:crypto'
import { registry, serviceNames } from '@caseway/registry'
import { eventually, type HttpClient } from '@caseway/testing'
import type { TestPlatform } from '@caseway/testing/accounting-platform'
import { otpOf } from '@caseway/testing/one-time-password'
import type { Receiver } from '@caseway/testing/webhook-receiver'
import { expect } from '@jest/globals'
import type { Demo } from '../../deploy/local/src/demo/demo-file.js'
import { rowsOf } from './databases.js'

interface Tokens {
  access_token: string
  refresh_token: string
}

/** Values that nobody else has, by names of their own. */
export function canaries() {
  const secrets: Record<string, string> = {}
  const texts: Record<string, string> = {}
  const put = (kept: Record<string, string>, name: string, value: string) => {
    kept[name] = value
    return value
  }
  return {
    /** Nobody may find these again, anywhere. */
    secrets,
    /** What people write: no secret of theirs, but nothing for a log, a refusal or a metric. */
    texts,
    secret: (name: string) => put(secrets, name, `Kanarek-${name}-${randomUUID()}`),
    text: (name: string) => put(texts, name, `Drozd-${name}-${randomUUID()}`),
    keep: (name: string, value: string) => put(secrets, name, value),
  }
}

export interface Scene extends ReturnType<typeof canaries> {
  readonly home: string
  readonly demo: Demo
  readonly platform: TestPlatform
  /** Of webhooks. */
  readonly receiver: Receiver
  /** The address of the experts, its refusals kept. */
  readonly experts: HttpClient
  /** Harmless, and to be found in each place: who looks there finds what is there. */
  readonly marker: string
}

const account = (at: Scene) => {
  const { username, password } = at.demo.offices[0]?.accounts.administrator ?? { username: '', password: '' }
  return { username, password: at.secrets.password ?? password }
}
const grant = (at: Scene, parameters: object, headers: Record<string, string> = {}) =>
  at.experts.post<Tokens>('/token', { client_id: at.demo.client_id, ...parameters }, headers)
const inDatabase = ({ home }: Scene, sql: string, service = 'auth') => rowsOf(home, service, sql)
const json = { 'content-type': 'application/json' }

export async function markEachPlace(at: Scene): Promise<void> {
  await at.experts.get('/tag', { 'x-request-id': at.marker })
  await inDatabase(at, `SELECT '${at.marker}'::int`).catch(() => undefined)
  // No consumer can read it: five tries, and it is a dead letter.
  await inDatabase(
    at,
    `INSERT INTO kit.outbox (event_id, topic, key, payload, headers) VALUES (gen_random_uuid(), 'auth.user.v1', '${at.marker}', '${at.marker}', '{}')`,
  )
}

export async function signInInEveryWay(at: Scene): Promise<HttpClient> {
  const present = account(at)
  const first = await grant(at, { grant_type: 'password', ...present })
  const change = { User: { current_password: present.password, password: at.secret('password') } }
  const changed = await at.experts.as(first.body.access_token).put('/user/me', change)
  expect(changed.status).toBe(200)
  at.keep('first password', present.password)
  const { body: signedIn } = await grant(at, { grant_type: 'password', ...account(at) })
  const { body: exchanged } = await grant(at, { grant_type: 'refresh_token', refresh_token: signedIn.refresh_token })
  for (const [name, { access_token, refresh_token }] of Object.entries({ first: first.body, signedIn, exchanged })) {
    at.keep(`access token, ${name}`, access_token)
    at.keep(`signature, ${name}`, access_token.split('.')[2] ?? '')
    at.keep(`refresh token, ${name}`, refresh_token)
  }
  const technical = at.demo.offices[0]?.technical ?? { client_id: '', client_secret: '' }
  at.keep('client secret', technical.client_secret)
  const basic = at.keep('basic', Buffer.from(`${technical.client_id}:${technical.client_secret}`).toString('base64'))
  await grant(at, { grant_type: 'client_credentials', ...technical })
  await grant(at, { grant_type: 'client_credentials', client_id: undefined }, { authorization: `Basic ${basic}` })
  const api = at.experts.as(exchanged.access_token)
  const { body } = await api.post<{ ticket: string }>('/event/ticket', {})
  at.keep('ticket', body.ticket)
  await fetch(`${at.demo.base_url}/rest/event/stream?ticket=${body.ticket}`).then((answer) => answer.body?.cancel())
  expect((await at.experts.get(`/event/stream?ticket=${body.ticket}`)).status).toBe(401)
  return api
}

/** Somebody with a second factor, who signs in with a wrong code and with a recovery code. */
export async function signInWithSecondFactor(at: Scene): Promise<void> {
  const { username, password } = at.demo.offices[0]?.accounts.specialist ?? { username: '', password: '' }
  const present = { grant_type: 'password', username, password: at.keep('password of a specialist', password) }
  const api = at.experts.as((await grant(at, present)).body.access_token)
  const path = '/user/me/second_factor'
  const begun = await api.post<{ SecondFactor: { secret: string } }>(path, { SecondFactor: { current_password: password } })
  const secret = at.keep('secret of a second factor', begun.body.SecondFactor.secret)
  const SecondFactor = { otp: otpOf(secret) }
  const confirmed = await api.put<{ SecondFactor: { recovery_codes: string[] } }>(path, { SecondFactor })
  const { recovery_codes: codes } = confirmed.body.SecondFactor
  for (const [index, code] of codes.entries()) at.keep(`recovery code ${index}`, code)
  expect((await grant(at, { ...present, otp: at.secret('wrong code') })).status).toBe(400)
  expect((await grant(at, { ...present, otp: codes[0] })).status).toBe(200)
  const wrong = await api.request('DELETE', path, { SecondFactor: { current_password: password, otp: at.secret('another wrong code') } })
  expect([wrong.status, wrong.body]).toMatchObject([400, { errorMessages: { otp: 'is not right' } }])
}

export async function tokensThatFail(at: Scene): Promise<void> {
  const technical = at.demo.offices[0]?.technical
  await grant(at, { grant_type: 'password', username: at.text('username'), password: at.secret('wrong password') })
  await grant(at, { grant_type: 'refresh_token', refresh_token: at.secret('unknown refresh token') })
  await grant(at, { grant_type: 'client_credentials', client_id: technical?.client_id, client_secret: at.secret('wrong client secret') })
  await grant(at, { grant_type: 'client_credentials' }, { authorization: `Basic ${at.secret('malformed basic')}` })
  await grant(at, { grant_type: at.secret('grant'), password: ['a', at.secret('password in a list')] })
  await at.experts.post('/token', `{"password": "${at.secret('password in malformed JSON')}`)
  const form = new URLSearchParams({ grant_type: 'password', client_id: at.demo.client_id, username: 'a', password: at.secret('form') })
  await at.experts.request('POST', '/token', String(form), { 'content-type': 'application/x-www-form-urlencoded' })
  await at.experts.request('POST', '/token', at.secret('as plain text'), { 'content-type': 'text/plain' })
  await at.experts.post(`/token?password=${at.secret('in the query')}`, {})
  // Used again after its successor was used: the family ends.
  const { body: first } = await grant(at, { grant_type: 'password', ...account(at) })
  const { body: second } = await grant(at, { grant_type: 'refresh_token', refresh_token: at.keep('stolen', first.refresh_token) })
  await grant(at, { grant_type: 'refresh_token', refresh_token: at.keep('successor', second.refresh_token) })
  expect((await grant(at, { grant_type: 'refresh_token', refresh_token: first.refresh_token })).status).toBe(400)
  for (const credentials of [at.secret('no token'), `Bearer ${at.secret('bad token')}`, `Bearer ${at.secrets['access token, first']}x`]) {
    expect((await at.experts.get('/tag', { authorization: credentials, cookie: `session=${at.secret('cookie')}` })).status).toBe(401)
  }
}

interface Connection {
  PartnerOauth2: { authorization_url: string; state: string }
  id: number
}

/** An office connects with the accounting platform, whatever that answers, and ends the connection. */
export async function connectToPlatform(at: Scene, api: HttpClient): Promise<void> {
  const { platform } = at
  const post = (fields: object) => api.post<Connection>('/partner_oauth2', { PartnerOauth2: fields })
  const companies = ['1', '2'].map((id) => ({ company_id: id, name: 'Sample', active: true, flat_rate: false }))
  const account = await platform.account({ companies })
  const begin = async (name: string) => {
    const { body } = await api.get<Connection>('/partner_oauth2/authorize')
    const { code, state } = await platform.agree(account, body.PartnerOauth2.authorization_url)
    return { auth_code: at.keep(`code, ${name}`, code), state: at.keep(`state, ${name}`, state ?? '') }
  }
  const answer = await begin('first')
  const { status, body } = await post(answer)
  expect(status).toBe(300)
  expect((await post({ ...answer, auth_code: at.secret('code with a used state') })).status).toBe(400)
  expect((await post({ auth_code: at.secret('code that nobody gave'), iss: at.secret('issuer') })).status).toBe(400)
  const faults = {
    'token without JSON': { status: 200, body: at.secret('token as text') },
    'token of no type': { status: 200, body: JSON.stringify({ access_token: at.secret('token of no type'), token_type: 7 }) },
    'error with a secret': { status: 400, body: JSON.stringify({ error: at.secret('error'), error_description: at.secret('described') }) },
  }
  for (const [name, fault] of Object.entries(faults)) {
    await platform.misbehave('token', fault)
    expect((await post(await begin(name))).status).toBe(503)
  }
  await platform.behave()
  const lies = { companies: [{ ...companies[0], name: `${at.text('company')}\n`, flat_rate: at.text('flat rate') }] }
  await platform.misbehave('companies', { status: 200, body: JSON.stringify(lies) })
  expect((await post(await begin('lies'))).status).toBe(503)
  await platform.behave()
  expect((await api.put(`/partner_oauth2/${body.id}`, { PartnerOauth2: { company_id: '1', name: at.text('integration') } })).status).toBe(
    200,
  )
  const { revocation: before } = await platform.requests()
  expect((await api.delete(`/partner_oauth2/${body.id}`)).status).toBe(200)
  await eventually(async () => expect((await platform.requests()).revocation).toBe(before + 1))
  for (const [index, { access_token, refresh_token }] of (await platform.issued()).entries()) {
    at.keep(`access token of the platform, ${index}`, access_token)
    if (refresh_token) at.keep(`refresh token of the platform, ${index}`, refresh_token)
  }
}

/** Somebody opens a mailbox by tokens, whatever the provider answers, and one with a password. */
export async function connectMailbox(at: Scene): Promise<void> {
  const { platform } = at
  const { username, password } = at.demo.offices[0]?.accounts.expert ?? { username: '', password: '' }
  const signedIn = await grant(at, { grant_type: 'password', username, password: at.keep('password of an expert', password) })
  const api = at.experts.as(at.keep('access token of an expert', signedIn.body.access_token))
  const place = { server_protocol: 2, server_address: '127.0.0.1', server_port: 993, server_encryption: 2 }
  const person = { user_email: 'canary@office.example', user_login: 'canary', ...place }
  const create = (fields: object) => api.post<{ id: number }>('/mail_server', { MailServer: { ...person, ...fields } })
  expect((await create({ user_password: at.secret('password of a mailbox') })).status).toBe(201)
  const { status, body } = await create({ oauth_provider: 'custom' })
  expect(status).toBe(201)
  const path = `/mail_server/${body.id}/oauth2`
  const account = await platform.account({})
  const begin = async (name: string) => {
    const question = { provider: 'custom', redirect_uri: 'https://office.example/connected' }
    const { body } = await api.post<{ MailServerOauth2: { authorization_url: string } }>(path, { MailServerOauth2: question })
    const { code, state } = await platform.agree(account, body.MailServerOauth2.authorization_url)
    return { code: at.keep(`code of a mailbox, ${name}`, code), state: at.keep(`state of a mailbox, ${name}`, state ?? '') }
  }
  const put = (answer: object) => api.put(path, { MailServerOauth2: answer })
  expect((await put({ ...(await begin('refused')), code: at.secret('code of a mailbox that nobody gave') })).status).toBe(400)
  await platform.misbehave('token', { status: 400, body: JSON.stringify({ error: at.secret('error of a mail provider') }) })
  expect((await put(await begin('failing'))).status).toBe(503)
  await platform.behave()
  expect((await put(await begin('first'))).status).toBe(200)
  const { token: before } = await platform.requests()
  await inDatabase(at, "UPDATE mail_grants SET refresh_at = now() - interval '1 hour'", 'mail')
  expect((await api.post(`/mail_server/${body.id}/test`)).status).toBe(200)
  expect((await platform.requests()).token).toBe(before + 1)
  for (const [index, { access_token, refresh_token }] of (await platform.issued()).entries()) {
    at.keep(`access token of a mailbox, ${index}`, access_token)
    if (refresh_token) at.keep(`refresh token of a mailbox, ${index}`, refresh_token)
  }
}

/** An office is told of what happens: by a receiver that refuses with secrets of its own, at an address that is one. */
export async function tellWebhook(at: Scene, api: HttpClient): Promise<void> {
  const { receiver } = at
  receiver.answer = (response) =>
    void response.writeHead(500, { 'x-reason': at.secret('header of a receiver') }).end(at.secret('body of a receiver'))
  const fields = { url: `${receiver.url}/${at.secret('webhook-path')}`, events: ['tag.created', 'issue.updated'] }
  expect((await api.post('/webhook', { Webhook: fields })).status).toBe(400)
  const { status, body } = await api.post<{ id: number; secret: string }>('/webhook', { Webhook: { ...fields, events: ['issue.updated'] } })
  expect([status, body]).toMatchObject([201, { secret: expect.any(String) }])
  at.keep('secret of a webhook', body.secret)
  const replaced = await api.post<{ secret: string }>(`/webhook/${body.id}/secret`)
  at.keep('second secret of a webhook', replaced.body.secret)
  expect((await api.post(`/webhook/${body.id}/test`)).status).toBe(200)
  const issue = await api.post<{ id: number }>('/issue', { Issue: { subject: 'A case' } })
  expect((await api.put(`/issue/${issue.body.id}`, { Issue: { subject: at.text('subject that a webhook tells') } })).status).toBe(200)
  await eventually(() => expect(receiver.received.length).toBeGreaterThan(1))
  const signatures = receiver.received.map(({ headers }) => String(headers['webhook-signature']).split(','))
  for (const [index, [, signature]] of signatures.entries()) at.keep(`signature of a webhook, ${index}`, signature ?? '')
  expect((await api.delete(`/webhook/${body.id}`)).status).toBe(200)
}

export async function bodiesThatFail(at: Scene, api: HttpClient): Promise<void> {
  await api.request('POST', '/issue', `{"Issue": {"subject": "${at.text('malformed')}`, json)
  await api.post('/issue', { Issue: { subject: [at.text('in a list')], priority: at.text('as a number') } })
  await api.put('/user/me', { User: { current_password: at.secret('wrong current'), password: at.secret('new password') } })
  await api.put('/user/me', { User: { current_password: at.secrets.password, password: at.secret('x').repeat(9) } })
  await api.post('/user', {
    User: { email: `${at.text('no address')}`, firstname: 'A', lastname: 'B', password: at.secret('of a new one') },
  })
  const twice = { User: { email: `${at.text('twice').toLowerCase()}@office.example`, firstname: at.marker, lastname: 'B' } }
  at.texts.twice = twice.User.email
  expect((await api.post('/user', twice)).status).toBe(201)
  expect((await api.post('/user', { User: { ...twice.User, password: at.secret('of a taken address') } })).status).toBe(400)
  await api.get(`/tag?${at.marker}=1`)
}

export async function changesThatFail(at: Scene, api: HttpClient): Promise<void> {
  const key = { 'idempotency-key': at.secret('idempotency key') }
  const subject = { Issue: { subject: at.text('subject') } }
  const { body } = await api.post<{ id: number }>('/issue', subject, key)
  expect((await api.post('/issue', { Issue: { subject: 'another' } }, key)).status).toBe(409)
  await api.post('/issue', subject, { 'idempotency-key': at.secret('too long').repeat(9) })
  expect((await api.put(`/issue/${body.id}`, subject, { 'if-match': '"99"' })).status).toBe(412)
  const trainee = at.demo.offices[0]?.accounts.trainee ?? { username: '', password: '' }
  at.keep('password of a trainee', trainee.password)
  const { body: signedIn } = await grant(at, { grant_type: 'password', username: trainee.username, password: trainee.password })
  const another = { User: { email: 'a@office.example', firstname: 'A', lastname: 'B', password: at.secret('denied') } }
  const headers = { 'x-request-id': `${at.marker}-refused` }
  expect((await at.experts.as(signedIn.access_token).post('/user', another, headers)).status).toBe(403)
}

/** Faults of ours, whose driver errors hold what was sent. */
export async function faults(at: Scene, api: HttpClient): Promise<void> {
  const inCases = (sql: string) => inDatabase(at, sql, registry.casesAndCounters.name)
  await inCases('CREATE UNIQUE INDEX made_for_the_test ON tags (name)')
  const unique = { Tag: { name: at.text('unique') } }
  expect((await api.post('/tag', unique)).status).toBe(201)
  expect((await api.post('/tag', unique)).status).toBe(500)
  await inCases("ALTER TABLE issues ADD CONSTRAINT made_for_the_test CHECK (subject NOT LIKE '%checked%')")
  expect((await api.post('/issue', { Issue: { subject: at.text('checked') } })).status).toBe(500)
  await inCases('ALTER TABLE issues DROP CONSTRAINT made_for_the_test')
  await inDatabase(at, 'ALTER TABLE users ADD CONSTRAINT made_for_the_test CHECK (length(phone) < 5)')
  const changes = { User: { phone: at.text('phone').slice(0, 40), current_password: at.secrets.password, password: at.secret('fault') } }
  at.texts.phone = changes.User.phone
  expect((await api.put('/user/me', changes)).status).toBe(500)
  await inDatabase(at, 'ALTER TABLE users DROP CONSTRAINT made_for_the_test')
}

const killAll = (at: Scene, service: string) =>
  inDatabase(
    at,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${service}' AND pid <> pg_backend_pid()`,
    'postgres',
  )

/** While the tables cannot be reached, and the connections are killed. */
export async function outages(at: Scene, api: HttpClient): Promise<void> {
  for (const service of serviceNames) await inDatabase(at, `ALTER ROLE "${service}" CONNECTION LIMIT 0`, 'postgres')
  for (const service of serviceNames) await killAll(at, service)
  const statuses = [
    await grant(at, { grant_type: 'password', username: 'a@b.example', password: at.secret('during an outage') }),
    await grant(at, { grant_type: 'refresh_token', refresh_token: at.secret('refresh token during an outage') }),
    await api.post('/issue', { Issue: { subject: at.text('during an outage') } }, { 'idempotency-key': at.secret('key during an outage') }),
  ]
  for (const service of serviceNames) await inDatabase(at, `ALTER ROLE "${service}" CONNECTION LIMIT -1`, 'postgres')
  expect(statuses.map(({ status }) => status)).toEqual([503, 503, 503])
  await eventually(async () => expect((await api.get('/tag')).status).toBe(200), { timeoutMs: 15_000 })
  await api.get('/tag', { 'x-request-id': `${at.marker}-last` })
  await eventually(
    async () => expect(await inDatabase(at, 'SELECT FROM kit.dead_letter', registry.casesAndCounters.name)).not.toEqual([]),
    {
      timeoutMs: 20_000,
    },
  )
}
