import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createAuthority } from '@caseway/install/certificates/authority.mjs'
import { createSecrets } from '@caseway/kit/secrets'
import { mailboxTopic } from '@caseway/protos/topics'
import { eventually, type HttpClient, randomId, type TestTenant } from '@caseway/testing'
import { type TestPlatform, testPlatform } from '@caseway/testing/accounting-platform'
import { type TestService, testService } from '@caseway/testing/service'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { SMTPServer } from 'smtp-server'
import { mail } from '../src/wiring.js'
import { createMailServer, newMailServer } from './support/mail-servers.js'

const redirect_uri = 'https://office.example/connected'
const host = '127.0.0.1'

let folder: string
let certified: { cert: string; key: string }
let platform: TestPlatform
let service: TestService
let office: TestTenant
let account: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mail-'))
  const authority = await createAuthority()
  const { certificate: cert, key } = await authority.issue([host])
  certified = { cert, key }
  await writeFile(join(folder, 'ca.pem'), authority.certificate)
  platform = await testPlatform()
  const variables = {
    MAIL_ROLES: 'http',
    OUTBOUND_PRIVATE_HOSTS: host,
    MAIL_DNS_SERVERS: '127.0.0.1:1',
    MAIL_CA_FILE: join(folder, 'ca.pem'),
  }
  service = await testService(mail, { variables: { ...variables, ...platform.mailVariables(host) } })
})
afterAll(async () => {
  await service.stop()
  await platform.stop()
  await rm(folder, { recursive: true })
})
beforeEach(async () => {
  office = service.office()
  account = await platform.account({})
})
afterEach(() => platform.behave())

const expert = () => service.asExpert(office.expert)
const byProvider = { server_address: host, server_port: 993, user_password: undefined, oauth_provider: 'custom' }
const rowOf = async (id: number) => (await service.database.rows<Record<string, unknown>>(`SELECT * FROM mail_servers WHERE id = ${id}`))[0]
const grantOf = async () =>
  (
    await service.database.rows<Record<string, unknown>>(
      `SELECT * FROM mail_grants WHERE customer_id = ${office.customerId} AND user_id = ${office.expert.userId}`,
    )
  )[0]

const grantsOfOffice = () =>
  service.database.rows<Record<string, unknown>>(`SELECT * FROM mail_grants WHERE customer_id = ${office.customerId} ORDER BY id`)
const isGood = async (accessToken = '') =>
  (await fetch(`${platform.issuer}/companies`, { headers: { authorization: `Bearer ${accessToken}` } })).status === 200

interface Answer {
  readonly MailServerOauth2?: { readonly authorization_url: string }
  readonly errorMessages?: unknown
}
const begin = (http: HttpClient, id: number | bigint, fields: object = {}) =>
  http.post<Answer>(`/mail_server/${id}/oauth2`, { MailServerOauth2: { provider: 'custom', redirect_uri, ...fields } })
const connect = (http: HttpClient, id: number | bigint, answer: object) =>
  http.put<Answer>(`/mail_server/${id}/oauth2`, { MailServerOauth2: answer })
async function agreed(http: HttpClient, id: number) {
  const { status, body, text } = await begin(http, id)
  if (status !== 200) throw new Error(text)
  const { code, state } = await platform.agree(account, body.MailServerOauth2?.authorization_url)
  return { code, state }
}
async function connected(http = expert(), fields: object = {}) {
  const id = await createMailServer(http, { ...byProvider, ...fields })
  expect((await connect(http, id, await agreed(http, id))).body).toEqual({ status: 'OK' })
  return id
}
/** The tokens of the office's mailboxes are to be refreshed, though they are good. */
const makeDue = () =>
  service.database.rows(`UPDATE mail_grants SET refresh_at = now() - interval '1 hour' WHERE customer_id = ${office.customerId}`)
const tried = async (id: number) => (await expert().post(`/mail_server/${id}/test`)).body
const refused = (field: string) => [400, { status: 'error', errorMessages: { [field]: expect.any(String) } }]
const told = async (id: number) => (await service.published(mailboxTopic)).filter(({ event }) => event.id === BigInt(id))

describe('POST /rest/mail_server with a provider', () => {
  it('makes a mailbox without a password, which waits for the authorization', async () => {
    const id = await createMailServer(expert(), byProvider)
    const { body } = await expert().get<{ MailServer: object }>(`/mail_server/${id}`)
    expect(body.MailServer).toMatchObject({
      ...{ oauth_provider: 'custom', user_password: null, state: 'auth_failed', last_error: 'authorization' },
    })
  })

  it.each([
    ['a provider that is not configured', { oauth_provider: 'google' }, 'oauth_provider'],
    ['a password beside it', { user_password: 'a secret of Anna' }, 'oauth_provider'],
    ['a server of somebody else', { server_address: 'imap.office.example' }, 'server_address'],
    ['no encryption', { server_encryption: 0 }, 'server_encryption'],
  ])('refuses %s', async (_, fields, wrong) => {
    const { status, body } = await expert().post('/mail_server', { MailServer: { ...newMailServer, ...byProvider, ...fields } })
    expect([status, body]).toEqual(refused(wrong))
  })
})

describe('POST /rest/mail_server/{id}/oauth2', () => {
  it('answers with the address of the provider: PKCE, a state, and the login', async () => {
    const { body } = await begin(expert(), await createMailServer(expert(), byProvider))
    const url = new URL(body.MailServerOauth2?.authorization_url ?? '')
    expect(url.origin).toBe(platform.issuer)
    expect(Object.fromEntries(url.searchParams)).toEqual({
      ...{ response_type: 'code', client_id: 'caseway', redirect_uri, scope: 'companies', login_hint: 'anna' },
      ...{
        state: expect.stringMatching(/^[\w-]{43}$/),
        code_challenge: expect.stringMatching(/^[\w-]{43}$/),
        code_challenge_method: 'S256',
      },
    })
  })

  it.each([
    ['a provider that is not configured', { provider: 'google' }, 'provider'],
    ['no provider', { provider: undefined }, 'provider'],
    ['another redirect URI', { redirect_uri: 'https://elsewhere.example/connected' }, 'redirect_uri'],
    ['a redirect URI that begins as one that is allowed', { redirect_uri: `${redirect_uri}/x` }, 'redirect_uri'],
  ])('refuses %s', async (_, fields, wrong) => {
    const { status, body } = await begin(expert(), await createMailServer(expert(), byProvider), fields)
    expect([status, body]).toEqual(refused(wrong))
  })

  it('refuses a server that is not of the provider', async () => {
    const { status, body } = await begin(expert(), await createMailServer(expert()))
    expect([status, body]).toEqual(refused('server_address'))
  })
})

describe('PUT /rest/mail_server/{id}/oauth2', () => {
  it('starts each server of the mailbox that has the provider, and no other one', async () => {
    const others = {
      waiting: await createMailServer(expert(), { ...byProvider, server_protocol: 1, server_port: 465 }),
      paused: await createMailServer(expert(), { ...byProvider, server_protocol: 3, server_port: 995 }),
      elsewhere: await createMailServer(expert(), { ...byProvider, user_email: 'another@office.example' }),
      password: await createMailServer(expert()),
    }
    expect((await expert().post(`/mail_server/${others.paused}/pause`)).status).toBe(200)
    const id = await connected()
    const active = { state: 'active', last_error: null, oauth_provider: 'custom', password: null }
    expect(await rowOf(id)).toMatchObject(active)
    expect(await rowOf(others.waiting)).toMatchObject(active)
    expect(await rowOf(others.paused)).toMatchObject({ ...active, state: 'paused' })
    expect(await rowOf(others.elsewhere)).toMatchObject({ state: 'auth_failed', last_error: 'authorization' })
    expect(await rowOf(others.password)).toMatchObject({ state: 'active', oauth_provider: null, user_password: '********' })
    // A later server of the mailbox needs nobody to agree again.
    expect(await rowOf(await createMailServer(expert(), { ...byProvider, server_protocol: 1, server_port: 587 }))).toMatchObject(active)
  })

  it('takes the place of a password, and a password takes its place again', async () => {
    const id = await createMailServer(expert(), { server_address: host })
    expect((await connect(expert(), id, await agreed(expert(), id))).status).toBe(200)
    expect(await rowOf(id)).toMatchObject({ oauth_provider: 'custom', password: null, user_password: null })
    expect((await expert().put(`/mail_server/${id}`, { MailServer: { user_password: 'another secret' } })).status).toBe(200)
    expect(await rowOf(id)).toMatchObject({ oauth_provider: null, user_password: '********' })
    expect(await grantOf()).toBeUndefined()
  })

  it('is good once, with its state, in its session and for its mailbox', async () => {
    const id = await createMailServer(expert(), byProvider)
    const answer = await agreed(expert(), id)
    const another = await createMailServer(expert(), { ...byProvider, user_email: 'another@office.example' })
    for (const [http, mailbox, sent] of [
      [expert(), id, { ...answer, state: 'x'.repeat(43) }],
      [expert(), another, answer],
      [service.asExpert(office.employee('expert', office.expert.userId)), id, answer],
    ] as const) {
      const { status, body } = await connect(http, mailbox, sent)
      expect([status, body]).toEqual(refused('state'))
    }
    expect((await connect(expert(), id, answer)).status).toBe(200)
    const { status, body } = await connect(expert(), id, answer)
    expect([status, body]).toEqual(refused('state'))
  })

  it('is refused after ten minutes', async () => {
    const id = await createMailServer(expert(), byProvider)
    const answer = await agreed(expert(), id)
    const now = Date.now
    Date.now = () => now() + 601_000
    try {
      const { status, body } = await connect(expert(), id, answer)
      expect([status, body]).toEqual(refused('state'))
    } finally {
      Date.now = now
    }
  })

  it('says that the provider has refused the code', async () => {
    const id = await createMailServer(expert(), byProvider)
    const { state } = await agreed(expert(), id)
    const { status, body } = await connect(expert(), id, { state, code: 'a code that nobody gave' })
    expect([status, body]).toEqual(refused('code'))
  })

  it('refuses access that cannot be renewed', async () => {
    const id = await createMailServer(expert(), byProvider)
    const answer = await agreed(expert(), id)
    await platform.misbehave('token', {
      status: 200,
      body: JSON.stringify({ access_token: 'short', token_type: 'bearer', expires_in: 60 }),
    })
    const { status, body } = await connect(expert(), id, answer)
    expect([status, body]).toEqual(refused('code'))
  })

  it('is 503 while the provider does not answer, and the same code is good after that', async () => {
    const id = await createMailServer(expert(), byProvider)
    const answer = await agreed(expert(), id)
    await platform.misbehave('token', { resets: true })
    expect((await connect(expert(), id, answer)).status).toBe(503)
    expect(await rowOf(id)).toMatchObject({ state: 'auth_failed' })
    await platform.behave()
    expect((await connect(expert(), id, answer)).status).toBe(200)
  })
})

describe('who may', () => {
  it('the owner alone: for everybody else the mailbox is not there', async () => {
    const id = await createMailServer(expert(), byProvider)
    const statuses = async (http: HttpClient, own: number | bigint = id) => [
      (await begin(http, own)).status,
      (await connect(http, own, { code: 'a', state: 'b' })).status,
    ]
    expect(await statuses(service.asExpert(office.trainee))).toEqual([404, 404])
    expect(await statuses(service.asExpert(service.office().expert))).toEqual([404, 404])
    expect(await statuses(expert(), randomId())).toEqual([404, 404])
    expect(await statuses(service.asExpert(office.administrator))).toEqual([403, 403])
    expect(await statuses(expert().as(undefined))).toEqual([401, 401])
  })
})

describe('tokens', () => {
  it('sign in to an SMTP server', async () => {
    const logins: unknown[] = []
    const server = new SMTPServer({
      ...{ logger: false, secure: true, authMethods: ['XOAUTH2'], ...certified },
      onAuth(auth, _, done) {
        logins.push([auth.method, auth.username, auth.accessToken])
        done(null, { user: auth.username })
      },
    })
    server.on('error', () => undefined)
    await new Promise<void>((done) => server.listen(0, host, done))
    try {
      const { port: server_port } = server.server.address() as { port: number }
      const id = await connected(expert(), { server_protocol: 1, server_port, server_encryption: 2 })
      expect(await tried(id)).toMatchObject({ MailServerTest: { ok: true, failed: null } })
      expect(logins).toEqual([['XOAUTH2', 'anna', (await platform.issued()).at(-1)?.access_token]])
    } finally {
      await new Promise<void>((done) => server.close(done))
    }
  })

  it('are sealed for their row, and are nowhere in plain text', async () => {
    const id = await connected()
    const texts = await service.database.rows<{ text: string }>(
      `SELECT to_jsonb(mail_grants)::text AS text FROM mail_grants UNION ALL SELECT to_jsonb(mail_servers)::text FROM mail_servers
       UNION ALL SELECT to_jsonb(outbox)::text FROM kit.outbox`,
    )
    const everything = [
      ...texts.map(({ text }) => text),
      (await expert().get(`/mail_server/${id}`)).text,
      (await expert().get('/mail_server')).text,
    ].join()
    const issued = (await platform.issued()).filter(({ refresh_token }) => refresh_token !== undefined)
    expect(issued).not.toEqual([])
    for (const { access_token, refresh_token } of issued)
      for (const token of [access_token, refresh_token])
        for (const form of ['utf8', 'hex', 'base64'] as const) expect(everything).not.toContain(Buffer.from(token).toString(form))
  })

  it('that have expired, or will, are refreshed once, however many ask, and the next refresh is by the new one', async () => {
    const ids: number[] = []
    for (const [server_protocol, server_port] of [
      [1, 465],
      [3, 995],
    ] as const)
      ids.push(await createMailServer(expert(), { ...byProvider, server_protocol, server_port }))
    await platform.setLifetime(1)
    ids.push(await connected())
    await platform.setLifetime(3600)
    await pause(1100)
    const { token: before } = await platform.requests()
    await platform.misbehave('token', { delayMs: 500 })
    await Promise.all([...ids, ...ids].map(tried))
    expect((await platform.requests()).token).toBe(before + 1)
    const { revision } = (await grantOf()) ?? {}
    await platform.behave()
    await makeDue()
    await tried(ids[0] ?? 0)
    expect((await platform.requests()).token).toBe(before + 2)
    expect((await grantOf())?.revision).toBe(Number(revision) + 1)
    expect(await rowOf(ids[0] ?? 0)).toMatchObject({ state: 'active' })
  })

  it('that the provider refuses stop each server of the mailbox, the owner is told once, and agreeing again starts them', async () => {
    const [id, other] = [await connected(), await createMailServer(expert(), { ...byProvider, server_protocol: 1, server_port: 465 })]
    await platform.close(account)
    await makeDue()
    for (const _ of [1, 2]) expect(await tried(id)).toEqual({ MailServerTest: { ok: false, failed: 'auth' } })
    for (const one of [id, other]) expect(await rowOf(one)).toMatchObject({ state: 'auth_failed', last_error: 'authorization' })
    expect([await told(id), await told(other)]).toMatchObject([[{ event: { userId: office.expert.userId } }], []])
    expect(await grantOf()).toMatchObject({ tokens: null })
    account = await platform.account({})
    expect((await connect(expert(), id, await agreed(expert(), id))).status).toBe(200)
    for (const one of [id, other]) expect(await rowOf(one)).toMatchObject({ state: 'active', last_error: null })
  })

  it('stay as they are while the provider does not answer, and what is good is used meanwhile', async () => {
    const id = await connected()
    await makeDue()
    await platform.misbehave('token', { status: 500, body: '{}' })
    const { tokens } = (await grantOf()) ?? {}
    expect(await tried(id)).toEqual({ MailServerTest: { ok: false, failed: 'connect' } })
    expect(await grantOf()).toMatchObject({ tokens, claimed_until: null })
    expect(await rowOf(id)).toMatchObject({ state: 'active' })
  })

  it('are forgotten with the last server that uses them', async () => {
    const [id, other] = [await connected(), await createMailServer(expert(), { ...byProvider, server_protocol: 1, server_port: 465 })]
    expect((await expert().delete(`/mail_server/${id}`)).status).toBe(200)
    expect(await grantOf()).toMatchObject({ provider: 'custom' })
    expect((await expert().delete(`/mail_server/${other}`)).status).toBe(200)
    expect(await grantOf()).toBeUndefined()
  })

  it('are revoked at the provider when nobody uses them any more, and are gone then', async () => {
    const id = await connected()
    const { access_token } = (await platform.issued()).at(-1) ?? {}
    expect(await isGood(access_token)).toBe(true)
    expect((await expert().delete(`/mail_server/${id}`)).status).toBe(200)
    await eventually(async () => expect(await grantsOfOffice()).toEqual([]), { timeoutMs: 20_000 })
    expect(await isGood(access_token)).toBe(false)
  })

  it('stay sealed, and nobody’s, while the provider does not take them back; a new authorization is not held up', async () => {
    const { revocation: before } = await platform.requests()
    await platform.misbehave('revocation', { status: 503 })
    const id = await connected()
    const { access_token } = (await platform.issued()).at(-1) ?? {}
    expect((await expert().delete(`/mail_server/${id}`)).status).toBe(200)
    await eventually(async () => expect((await platform.requests()).revocation).toBeGreaterThan(before + 1), { timeoutMs: 20_000 })
    expect(await grantsOfOffice()).toMatchObject([{ user_id: null, tokens: expect.anything() }])
    await connected(expert(), { user_email: 'ola@office.example' })
    await platform.behave()
    await eventually(async () => expect(await grantsOfOffice()).toMatchObject([{ user_email: 'ola@office.example' }]), {
      timeoutMs: 30_000,
    })
    expect(await isGood(access_token)).toBe(false)
  })

  it('are forgotten when the provider has not taken them back for three days', async () => {
    await platform.misbehave('revocation', { status: 503 })
    const id = await connected()
    expect((await expert().delete(`/mail_server/${id}`)).status).toBe(200)
    const [grant] = await grantsOfOffice()
    await service.database.rows(
      `UPDATE kit.job SET payload = jsonb_set(payload, '{until}', '0') WHERE name = 'mail-grant-revocation' AND key = '${grant?.id}'`,
    )
    await eventually(async () => expect(await grantsOfOffice()).toEqual([]), { timeoutMs: 30_000 })
  })

  it('are not revoked while the office has the address in another mailbox, or has connected it again', async () => {
    const mine = () =>
      eventually(async () => expect((await grantsOfOffice()).map(holder)).toEqual([String(office.expert.userId)]), { timeoutMs: 30_000 })
    const holder = ({ user_id }: Record<string, unknown>) => String(user_id)
    await platform.misbehave('revocation', { status: 503 })
    const id = await connected()
    expect((await expert().delete(`/mail_server/${id}`)).status).toBe(200)
    await connected()
    await mine()
    await platform.behave()
    const colleague = service.asExpert(office.trainee)
    const other = await connected(colleague)
    const { access_token } = (await platform.issued()).at(-1) ?? {}
    expect((await colleague.delete(`/mail_server/${other}`)).status).toBe(200)
    await mine()
    expect(await isGood(access_token)).toBe(true)
  })

  it('are sent to no server but those of the provider, whatever is changed', async () => {
    const id = await connected()
    const change = async (fields: object) => {
      const { status, body } = await expert().put(`/mail_server/${id}`, { MailServer: fields })
      return [status, body]
    }
    expect(await change({ server_address: 'imap.office.example' })).toEqual(refused('server_address'))
    expect(await change({ server_encryption: 0 })).toEqual(refused('server_encryption'))
    expect(await change({ server_port: 143, server_encryption: 1 })).toEqual([200, { status: 'OK' }])
    await service.database.rows(`UPDATE mail_servers SET server_address = 'imap.office.example' WHERE id = ${id}`)
    expect(await tried(id)).toEqual({ MailServerTest: { ok: false, failed: 'auth' } })
  })
})

it('the command line encrypts tokens anew, each for its own mailbox', async () => {
  const [former, next] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64')) as [string, string]
  const variables = { MAIL_ROLES: 'http', MAIL_SECRET: next, MAIL_SECRET_PREVIOUS: former }
  const rotating = await testService(mail, { variables: { ...variables, OUTBOUND_PRIVATE_HOSTS: host, ...platform.mailVariables(host) } })
  try {
    const here = rotating.office()
    const id = await createMailServer(rotating.asExpert(here.expert), byProvider)
    const sealed = createSecrets('mail', { secret: former, secretPrevious: [] }).sealer('mail-grants')
    const [grant] = await rotating.database.rows<{ id: bigint }>(
      `INSERT INTO mail_grants (customer_id, user_id, user_email, provider, refresh_at)
       VALUES (${here.customerId}, ${here.expert.userId}, 'anna@office.example', 'custom', now() + interval '1 hour') RETURNING id`,
    )
    const held = { accessToken: 'a', refreshToken: 'b', expiresAt: Date.now() + 3_600_000 }
    const tokens = sealed.seal(Buffer.from(JSON.stringify(held)), `mail_grant ${grant?.id} tokens`)
    await rotating.database.rows('UPDATE mail_grants SET tokens = $2 WHERE id = $1', [grant?.id, tokens])
    expect(await rotating.service.administration.reseal()).toBe(1)
    expect(await rotating.service.administration.reseal()).toBe(0)
    expect((await rotating.asExpert(here.expert).post(`/mail_server/${id}/test`)).body).toMatchObject({
      MailServerTest: { failed: 'connect' },
    })
  } finally {
    await rotating.stop()
  }
})
