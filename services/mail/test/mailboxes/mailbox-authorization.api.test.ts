import { setTimeout as pause } from 'node:timers/promises'
import { type HttpClient, randomId, type TestTenant } from '@caseway/testing'
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createMailServer, newMailServer } from '../support/mail-servers.js'
import {
  authorizationsOf,
  begin,
  byProvider,
  connect,
  host,
  redirect_uri,
  refused,
  serviceWithProvider,
} from '../support/service-with-provider.js'

const there = await serviceWithProvider()
const { service, platform, stop } = there
afterAll(stop)

let office: TestTenant
let account: string
beforeEach(async () => {
  office = service.office()
  account = await platform.account({})
})
afterEach(() => platform.behave())

const { expert, agreed, connected, rowOf, grantOf } = authorizationsOf(there, () => ({ office, account }))

describe('POST /rest/mail_server with a provider', () => {
  it('creates a mailbox without a password, which waits for the authorization', async () => {
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
  it('answers with the URL of the provider: PKCE, a state, and the login', async () => {
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
  it('starts each server of the mailbox with the provider, and no other', async () => {
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
    // A server that is added later needs no new authorization.
    expect(await rowOf(await createMailServer(expert(), { ...byProvider, server_protocol: 1, server_port: 587 }))).toMatchObject(active)
  })

  it('replaces a password, and is replaced by one again', async () => {
    const id = await createMailServer(expert(), { server_address: host })
    expect((await connect(expert(), id, await agreed(expert(), id))).status).toBe(200)
    expect(await rowOf(id)).toMatchObject({ oauth_provider: 'custom', password: null, user_password: null })
    expect((await expert().put(`/mail_server/${id}`, { MailServer: { user_password: 'another secret' } })).status).toBe(200)
    expect(await rowOf(id)).toMatchObject({ oauth_provider: null, user_password: '********' })
    expect(await grantOf()).toBeUndefined()
  })

  it('is valid once, with its state, in its session and for its mailbox', async () => {
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

  it('reports that the provider has refused the code', async () => {
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

  it('is 503 while the provider does not answer, and the same code is valid afterwards', async () => {
    const id = await createMailServer(expert(), byProvider)
    const answer = await agreed(expert(), id)
    await platform.misbehave('token', { resets: true })
    expect((await connect(expert(), id, answer)).status).toBe(503)
    expect(await rowOf(id)).toMatchObject({ state: 'auth_failed' })
    await platform.behave()
    expect((await connect(expert(), id, answer)).status).toBe(200)
  })
})

describe('a mailbox to which its provider grants no access', () => {
  const waiting = { state: 'auth_failed', last_error: 'authorization' }

  it('waits for an authorization, even if it is changed or resumed', async () => {
    const id = await createMailServer(expert(), { ...byProvider, server_protocol: 1, server_port: 465 })
    expect((await expert().put(`/mail_server/${id}`, { MailServer: { user_name: 'Ola' } })).body).toEqual({ status: 'OK' })
    expect(await rowOf(id)).toMatchObject({ user_name: 'Ola', ...waiting })
    expect((await expert().post(`/mail_server/${id}/resume`)).status).toBe(200)
    expect(await rowOf(id)).toMatchObject(waiting)
    expect(await service.service.administration.mailboxes.resume(BigInt(id))).toBe(true)
    expect(await rowOf(id)).toMatchObject(waiting)
    expect((await expert().put(`/mail_server/${id}`, { MailServer: { user_password: 'a secret' } })).body).toEqual({ status: 'OK' })
    expect(await rowOf(id)).toMatchObject({ state: 'active', last_error: null })
  })

  it('waits as soon as it has another address', async () => {
    const id = await connected()
    expect((await expert().put(`/mail_server/${id}`, { MailServer: { user_email: 'ola@office.example' } })).body).toEqual({ status: 'OK' })
    expect(await rowOf(id)).toMatchObject(waiting)
  })

  it('is not one whose provider does not answer', async () => {
    await platform.setLifetime(1)
    await connected()
    await platform.setLifetime(3600)
    await pause(1100)
    await platform.misbehave('token', { status: 500, body: '{}' })
    const id = await createMailServer(expert(), { ...byProvider, server_protocol: 1, server_port: 465 })
    expect(await rowOf(id)).toMatchObject({ state: 'active', last_error: null })
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
