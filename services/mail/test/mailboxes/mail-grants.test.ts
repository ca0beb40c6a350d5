import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createAuthority } from '@caseway/install/certificates/authority.mjs'
import { createSecrets } from '@caseway/kit/secrets'
import { mailboxTopic } from '@caseway/protos/topics'
import type { TestTenant } from '@caseway/testing'
import { testService } from '@caseway/testing/service'
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { SMTPServer } from 'smtp-server'
import { mail } from '../../src/wiring.js'
import { createMailServer } from '../support/mail-servers.js'
import { authorizationsOf, byProvider, connect, host, refused, serviceWithProvider } from '../support/service-with-provider.js'

const folder = await mkdtemp(join(tmpdir(), 'mail-'))
const authority = await createAuthority()
const { certificate: cert, key } = await authority.issue([host])
const certified = { cert, key }
await writeFile(join(folder, 'ca.pem'), authority.certificate)
const there = await serviceWithProvider({ MAIL_CA_FILE: join(folder, 'ca.pem') })
const { service, platform, stop } = there
afterAll(async () => {
  await stop()
  await rm(folder, { recursive: true })
})

let office: TestTenant
let account: string
beforeEach(async () => {
  office = service.office()
  account = await platform.account({})
})
afterEach(() => platform.behave())

const { expert, agreed, connected, rowOf, grantOf } = authorizationsOf(there, () => ({ office, account }))

/** Makes the tokens of the office's mailboxes due for a refresh, though they are still valid. */
const makeDue = () =>
  service.database.rows(`UPDATE mail_grants SET refresh_at = now() - interval '1 hour' WHERE customer_id = ${office.customerId}`)
const tried = async (id: number) => (await expert().post(`/mail_server/${id}/test`)).body
const eventsOf = async (id: number) => (await service.published(mailboxTopic)).filter(({ event }) => event.id === BigInt(id))

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

  it('that have expired, or soon will, are refreshed once however many request them, and next with the new refresh token', async () => {
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

  it('that have expired when they are issued are requested once for each use', async () => {
    await platform.setLifetime(1)
    const id = await connected()
    await platform.setLifetime(3600)
    await pause(1100)
    const { token: before } = await platform.requests()
    const body = JSON.stringify({ access_token: 'short', refresh_token: 'another', token_type: 'bearer', expires_in: 0 })
    await platform.misbehave('token', { status: 200, headers: { 'content-type': 'application/json' }, body })
    await tried(id)
    expect((await platform.requests()).token).toBe(before + 1)
  })

  it('that the provider refuses stop each server of the mailbox and notify the owner once; a new authorization starts them', async () => {
    const [id, other] = [await connected(), await createMailServer(expert(), { ...byProvider, server_protocol: 1, server_port: 465 })]
    await platform.close(account)
    await makeDue()
    for (const _ of [1, 2]) expect(await tried(id)).toEqual({ MailServerTest: { ok: false, failed: 'auth' } })
    for (const one of [id, other]) expect(await rowOf(one)).toMatchObject({ state: 'auth_failed', last_error: 'authorization' })
    expect([await eventsOf(id), await eventsOf(other)]).toMatchObject([[{ event: { userId: office.expert.userId } }], []])
    expect(await grantOf()).toMatchObject({ tokens: null })
    account = await platform.account({})
    expect((await connect(expert(), id, await agreed(expert(), id))).status).toBe(200)
    for (const one of [id, other]) expect(await rowOf(one)).toMatchObject({ state: 'active', last_error: null })
  })

  it('are kept while the provider does not answer, and a valid access token is used meanwhile', async () => {
    const id = await connected()
    await makeDue()
    await platform.misbehave('token', { status: 500, body: '{}' })
    const { tokens } = (await grantOf()) ?? {}
    expect(await tried(id)).toEqual({ MailServerTest: { ok: false, failed: 'connect' } })
    expect(await grantOf()).toMatchObject({ tokens, claimed_until: null })
    expect(await rowOf(id)).toMatchObject({ state: 'active' })
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
