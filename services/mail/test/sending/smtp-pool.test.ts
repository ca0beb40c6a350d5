import { eventually } from '@caseway/testing'
import { afterEach, describe, expect, it } from '@jest/globals'
import { guardedMailDialer } from '../../src/mail-connections/guarded-mail-dialer.client.js'
import { MailConnectionError } from '../../src/mail-connections/mail-connection-error.js'
import { type PooledMailbox, smtpPool } from '../../src/mail-connections/smtp-pool.client.js'
import { smtpSession } from '../../src/mail-connections/smtp-session.client.js'
import type { SmtpPool, SmtpSession } from '../../src/mail-connections/smtp-session.js'
import { scriptedServer } from '../support/scripted-server.js'
import { type TestSmtp, testSmtp } from '../support/smtp-server.js'

const host = '127.0.0.1'
const open = smtpSession(guardedMailDialer({ outboundPrivateHosts: [host], caFile: undefined }))

const toStop: { stop(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const one of toStop.splice(0)) await one.stop()
})
async function serving(options: Partial<Parameters<typeof smtpPool>[1]> = {}): Promise<{ smtp: TestSmtp; pool: SmtpPool }> {
  const smtp = await testSmtp()
  const pool = smtpPool(open, { max: 3, idleMs: 30_000, ...options })
  toStop.push({ stop: pool.close }, smtp)
  return { smtp, pool }
}

const mailboxAt = (serverPort: number, changes: Partial<PooledMailbox> = {}): PooledMailbox => ({
  ...{
    id: 1n,
    serverProtocol: 1,
    serverAddress: host,
    serverPort,
    serverEncryption: 0,
    userLogin: 'anna',
    userEmail: 'anna@office.example',
  },
  ...{ credentials: { password: 'a secret' }, ...changes },
})
const send = (session: SmtpSession, to = 'one@elsewhere.example') =>
  session.send({ envelope: { from: 'anna@office.example', to: [to] }, content: content(), sizeBytes: 14 }, async () => undefined)
async function* content() {
  yield Buffer.from('Subject: x\r\n\r\n')
}

describe('the connections of a mailbox', () => {
  it('are reused, one message after the other', async () => {
    const { smtp, pool } = await serving()
    for (const to of ['one@x.example', 'two@x.example', 'three@x.example']) await pool.use(mailboxAt(smtp.port), (one) => send(one, to))
    expect(smtp.connections()).toEqual({ opened: 1, open: 1 })
    expect(smtp.delivered.map(({ to }) => to)).toEqual([['one@x.example'], ['two@x.example'], ['three@x.example']])
  })

  it('are limited in number', async () => {
    const { smtp, pool } = await serving()
    await Promise.all(Array.from({ length: 12 }, () => pool.use(mailboxAt(smtp.port), send)))
    expect(smtp.connections()).toEqual({ opened: 3, open: 3 })
    expect(smtp.delivered).toHaveLength(12)
  })

  it.each<readonly [string, Partial<PooledMailbox>]>([
    ['another password', { credentials: { password: 'another' } }],
    ['another login', { userLogin: 'eve' }],
    ['another address of the sender', { userEmail: 'eve@other.example' }],
  ])('are not reused with %s', async (_, changes) => {
    const { smtp, pool } = await serving()
    await pool.use(mailboxAt(smtp.port), send)
    await pool.use(mailboxAt(smtp.port, changes), send)
    await eventually(async () => expect(smtp.connections()).toEqual({ opened: 2, open: 1 }))
  })

  it('are opened again where they were closed meanwhile', async () => {
    const { smtp, pool } = await serving()
    await pool.use(mailboxAt(smtp.port), send)
    smtp.drop()
    expect(await pool.use(mailboxAt(smtp.port), send)).toMatchObject([{ state: 'accepted' }])
    expect(smtp.connections().opened).toBe(2)
  })

  it('are closed when they are idle', async () => {
    const { smtp, pool } = await serving({ idleMs: 100 })
    await pool.use(mailboxAt(smtp.port), send)
    await eventually(async () => expect(smtp.connections()).toEqual({ opened: 1, open: 0 }))
  })

  it('do not wait for other mailboxes', async () => {
    const { smtp, pool } = await serving()
    const silent = await scriptedServer({})
    const waiting = pool.use(mailboxAt(silent.port, { id: 2n }), send).catch((error: unknown) => error)
    expect(await pool.use(mailboxAt(smtp.port), send)).toMatchObject([{ state: 'accepted' }])
    await silent.stop()
    expect(await waiting).toBeInstanceOf(MailConnectionError)
  })

  it('report to everybody who waits why they cannot be opened', async () => {
    const { smtp, pool } = await serving()
    await smtp.stop()
    const tries = await Promise.allSettled(Array.from({ length: 5 }, () => pool.use(mailboxAt(smtp.port), send)))
    expect(tries.map((one) => one.status === 'rejected' && one.reason.failed)).toEqual(Array(5).fill('connect'))
  })
})
