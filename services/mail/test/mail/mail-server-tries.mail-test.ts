import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { type Dovecot, dovecot, withoutPenalty } from '@caseway/testing/dovecot'
import { type TestService, testService } from '@caseway/testing/service'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { wireMailConnections } from '../../src/mail-connections/mail-connections.wiring.js'
import { mail } from '../../src/wiring.js'

let server: Dovecot
let trusting: TestService
let distrusting: TestService

beforeAll(async () => {
  server = await dovecot(withoutPenalty)
  const variables = { OUTBOUND_PRIVATE_HOSTS: server.host }
  trusting = await testService(mail, { variables: { ...variables, MAIL_CA_FILE: server.caFile } })
  distrusting = await testService(mail, { variables })
})
afterAll(async () => {
  await trusting?.stop()
  await distrusting?.stop()
  await server?.stop()
})

async function tried(service: TestService, fields: object) {
  const account = { user_login: 'anna', user_password: server.password, server_address: server.host }
  const { body } = await service.asExpert(service.office().expert).post('/mail_server/test', { MailServer: { ...account, ...fields } })
  return body
}
const answer = (failed: string | null) => ({ MailServerTest: { ok: failed === null, failed } })

const ways = [
  ['IMAP in plain text', 2, 0, 'imap'],
  ['IMAP by STARTTLS', 2, 1, 'imap'],
  ['IMAP by TLS', 2, 2, 'imaps'],
  ['POP3 in plain text', 3, 0, 'pop3'],
  ['POP3 by STLS', 3, 1, 'pop3'],
  ['POP3 by TLS', 3, 2, 'pop3s'],
] as const

describe.each(ways)('a try over %s', (_, server_protocol, server_encryption, port) => {
  const fields = () => ({ server_protocol, server_encryption, server_port: server.ports[port] })

  it('signs in to a real server, and is refused with another password', async () => {
    expect(await tried(trusting, fields())).toEqual(answer(null))
    expect(await tried(trusting, { ...fields(), user_password: 'another' })).toEqual(answer('auth'))
  })

  it('trusts no certificate of an unknown authority', async () => {
    expect(await tried(distrusting, fields())).toEqual(answer(server_encryption === 0 ? null : 'tls'))
  })
})

const bytesOf = (message: Readable | null) => buffer(message ?? Readable.from([]))

it('a message is received over POP3 byte for byte', async () => {
  const { openPop3, openImap } = wireMailConnections({ outboundPrivateHosts: [server.host], caFile: server.caFile })
  const account = { serverAddress: server.host, userLogin: 'bert', credentials: { password: server.password } }
  const imap = await openImap({ ...account, serverProtocol: 2, serverPort: server.ports.imaps, serverEncryption: 2 })
  const lines = Array.from({ length: 20_000 }, (_, i) => `${'.'.repeat(i % 4)}line ${i}\r\n`)
  const messages = ['Subject: a\r\n\r\n.\r\n..\r\n', `Subject: b\r\n\r\n${lines.join('')}`].map((text) => Buffer.from(text))
  for (const message of messages) await imap.append('INBOX', message)
  await imap.logout()

  const pop3 = await openPop3({ ...account, serverProtocol: 3, serverPort: server.ports.pop3, serverEncryption: 1 })
  expect([...(await pop3.uniqueIds()).keys()]).toEqual([1, 2])
  expect([...(await pop3.sizes()).values()]).toEqual(messages.map(({ length }) => length))
  for (const [i, message] of messages.entries()) expect(await bytesOf(await pop3.retrieve(i + 1, 1_000_000))).toEqual(message)
  expect((await pop3.header(2))?.toString()).toBe('Subject: b\r\n\r\n')
  expect([await pop3.retrieve(3, 1_000_000), await pop3.header(3)]).toEqual([null, null])
  await pop3.quit()
})
