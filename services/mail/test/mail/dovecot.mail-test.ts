import { readFile } from 'node:fs/promises'
import { type Dovecot, dovecot } from '@caseway/testing/dovecot'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { ImapFlow } from 'imapflow'
import Pop3 from 'node-pop3'

let server: Dovecot
beforeAll(async () => {
  server = await dovecot()
})
afterAll(() => server.stop())

const message = Buffer.from('From: a@caseway.test\r\nSubject: Hello\r\n\r\nThe body.\r\n')

describe('the mail server of the tests', () => {
  it('stores what is appended, and gives it to IMAP and POP3 over TLS', async () => {
    const { host, ports, password } = server
    const ca = await readFile(server.caFile)
    const imap = new ImapFlow({
      ...{ host, port: ports.imaps, secure: true, tls: { ca, servername: 'server' }, logger: false },
      auth: { user: 'ann', pass: password },
    })
    await imap.connect()
    await imap.append('INBOX', message)
    await imap.mailboxOpen('INBOX')
    const [fetched] = await imap.fetchAll('1:*', { uid: true, source: true })
    expect(fetched?.source).toEqual(message)
    expect(imap.capabilities.has('CONDSTORE')).toBe(true)
    await imap.logout()

    const pop3 = new Pop3({ host, port: ports.pop3, user: 'ann', password })
    expect(await pop3.UIDL()).toEqual([['1', expect.any(String)]])
    await pop3.QUIT()
  })

  it('refuses another password', async () => {
    const imap = new ImapFlow({
      ...{ host: server.host, port: server.ports.imap, secure: false, doSTARTTLS: false, logger: false },
      auth: { user: 'ann', pass: 'another' },
    })
    await expect(imap.connect()).rejects.toMatchObject({ authenticationFailed: true })
  })
})
