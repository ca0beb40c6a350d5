import { randomUUID } from 'node:crypto'
import { mailboxTopic } from '@caseway/protos/topics'
import { eventually } from '@caseway/testing'
import { type TestPlatform, testPlatform } from '@caseway/testing/accounting-platform'
import { type Dovecot, dovecot, withoutPenalty } from '@caseway/testing/dovecot'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { type TestMailbox, type TestReceiving, testReceiving } from '../support/receiving.js'

let platform: TestPlatform
let server: Dovecot
let receiving: TestReceiving
beforeAll(async () => {
  platform = await testPlatform()
  server = await dovecot(withoutPenalty, { tokenInfoUrl: `${platform.issuer}/tokeninfo` })
  receiving = await testReceiving(server, { ...platform.mailVariables(server.host), MAIL_CA_FILE: server.caFile })
})
afterAll(async () => {
  await receiving.stop()
  await server.stop()
  await platform.stop()
})
afterEach(() => platform.setLifetime(3600))

const patience = { timeoutMs: 40_000 }
const asOwner = ({ office }: TestMailbox) => receiving.service.asExpert(office.expert)
const protocols = { IMAP: [2, 'imaps'], POP3: [3, 'pop3s'] } as const

/** A mailbox whose owner has authorized it at the provider. */
async function connected(name: keyof typeof protocols): Promise<TestMailbox> {
  const [server_protocol, port] = protocols[name]
  const place = { server_protocol, server_port: server.ports[port], server_encryption: '2' }
  const mailbox = await receiving.mailbox({ ...place, user_password: undefined, oauth_provider: 'custom' })
  await platform.account({}, mailbox.user)
  await agree(mailbox)
  return mailbox
}
async function agree(mailbox: TestMailbox): Promise<void> {
  const path = `/mail_server/${mailbox.id}/oauth2`
  const question = { provider: 'custom', redirect_uri: 'https://office.example/connected' }
  const { body } = await asOwner(mailbox).post<{ MailServerOauth2: { authorization_url: string } }>(path, { MailServerOauth2: question })
  const { code, state } = await platform.agree(mailbox.user, body.MailServerOauth2.authorization_url)
  expect((await asOwner(mailbox).put(path, { MailServerOauth2: { code, state } })).body).toEqual({ status: 'OK' })
}
async function receives(mailbox: TestMailbox): Promise<void> {
  const subject = randomUUID()
  await mailbox.imap.append('INBOX', Buffer.from(`Subject: ${subject}\r\n\r\nA text.\r\n`))
  await mailbox.receive()
  await eventually(async () => expect(await mailbox.subjects()).toContain(subject), patience)
}
const revisionOf = async ({ office }: TestMailbox) => {
  const [grant] = await receiving.service.database.rows<{ revision: number }>(
    `SELECT revision FROM mail_grants WHERE customer_id = ${office.customerId}`,
  )
  return grant?.revision ?? 0
}

describe.each(['IMAP', 'POP3'] as const)('a mailbox that is opened by OAuth 2.0 over %s', (name) => {
  it('is received, and works in tries', async () => {
    const mailbox = await connected(name)
    await receives(mailbox)
    const { body } = await asOwner(mailbox).post(`/mail_server/${mailbox.id}/test`)
    expect(body).toEqual({ MailServerTest: { ok: true, failed: null } })
  })

  it('is still received when its token has expired', async () => {
    await platform.setLifetime(5)
    const mailbox = await connected(name)
    await receives(mailbox)
    await eventually(async () => expect(await revisionOf(mailbox)).toBeGreaterThan(2), patience)
    await receives(mailbox)
    expect(await mailbox.row()).toMatchObject({ state: 'active', last_error: null })
  })

  it('is stopped at once when its owner revokes the access, who is notified, and is received again after a new authorization', async () => {
    await platform.setLifetime(5)
    const mailbox = await connected(name)
    await receives(mailbox)
    await platform.close(mailbox.user)
    await eventually(async () => expect(await mailbox.row()).toMatchObject({ state: 'auth_failed', last_error: 'authorization' }), patience)
    const events = (await receiving.service.published(mailboxTopic)).filter(({ event }) => event.id === mailbox.id)
    expect(events).toHaveLength(1)
    await platform.setLifetime(3600)
    await platform.account({}, mailbox.user)
    await agree(mailbox)
    await receives(mailbox)
  })
})

it('a token that the mail server refuses is not used again', async () => {
  const mailbox = await connected('IMAP')
  await receives(mailbox)
  await platform.close(mailbox.user)
  await server.doveadm('kick', mailbox.user)
  await eventually(async () => {
    await mailbox.receive()
    expect(await mailbox.row()).toMatchObject({ state: 'auth_failed', last_error: 'authorization' })
  }, patience)
})
