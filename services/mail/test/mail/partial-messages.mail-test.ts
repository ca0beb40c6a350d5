import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { eventually } from '@caseway/testing'
import { type Dovecot, dovecot } from '@caseway/testing/dovecot'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { sha256Of, type TestMailbox, type TestReceiving, testReceiving, untilCount } from '../support/receiving.js'

let server: Dovecot
let receiving: TestReceiving
beforeAll(async () => {
  server = await dovecot()
  receiving = await testReceiving(server)
})
const toStop: (() => unknown)[] = []
afterEach(() => {
  for (const stop of toStop.splice(0)) stop()
})
afterAll(async () => {
  await receiving.stop()
  await server.stop()
})

const patience = { timeoutMs: 20_000 }
const fileBytes = 3_000_000

const base64 = (bytes: Buffer) => bytes.toString('base64').replaceAll(/.{76}/g, '$&\r\n')
const file = (name: string, bytes = randomBytes(fileBytes)) =>
  [
    `Content-Type: application/pdf; name="${name}"`,
    'Content-Transfer-Encoding: base64',
    `Content-Disposition: attachment; filename="${name}"`,
    '',
    base64(bytes),
  ].join('\r\n')
const header = (subject: string) => [
  `From: ann@caseway.test`,
  'To: bob@caseway.test',
  `Subject: ${subject}`,
  `Message-ID: <${randomUUID()}@caseway.test>`,
  'MIME-Version: 1.0',
]
const withFile = (subject = 'With a file') =>
  Buffer.from(
    [
      ...[...header(subject), 'Content-Type: multipart/mixed; boundary="outer"', '', 'A preamble.', '--outer'],
      ...[
        'Content-Type: multipart/alternative; boundary="inner"',
        '',
        '--inner',
        'Content-Type: text/plain; charset=utf-8',
        '',
        'Zażółć',
        '--inner',
      ],
      ...[
        'Content-Type: text/html; charset=utf-8',
        'Content-Transfer-Encoding: quoted-printable',
        '',
        '<p>Za=C5=BC=C3=B3=C5=82=C4=87</p>',
        '--inner--',
        '',
      ],
      ...['--outer', file('one.pdf'), '--outer', file('two.pdf', randomBytes(1000)), '--outer--', ''],
    ].join('\r\n'),
  )
const withoutFile = () => Buffer.from([...header('Without a file'), 'Content-Type: text/plain', '', 'Hello', ''].join('\r\n'))

interface Received {
  readonly partial: string
  readonly has_attachments: string
  readonly mail_body: string
  readonly size: string
}
interface Attachments {
  readonly MailAttachment: readonly { readonly filename: string; readonly size: string }[]
}
const path = '/mail_received_mysql_message'
const api = (mailbox: TestMailbox) => receiving.service.asExpert(mailbox.office.expert)
const shown = async (mailbox: TestMailbox, id: bigint) =>
  (await api(mailbox).get<{ MailReceivedMysqlMessage: Received }>(`${path}/${id}`)).body.MailReceivedMysqlMessage
const setDownload = (mailbox: TestMailbox, download_attachments: number) =>
  api(mailbox).put(`/mail_server/${mailbox.id}`, { MailServer: { download_attachments } })

/** Renumbers the messages of the inbox, and waits until they were compared again. */
async function renumber(mailbox: TestMailbox): Promise<void> {
  const epoch = async () =>
    Number(
      (
        await receiving.service.database.rows<{ epoch: number }>(
          `SELECT epoch FROM remote_folders WHERE mail_server_id = ${mailbox.id} AND path = 'INBOX'`,
        )
      )[0]?.epoch,
    )
  const before = await epoch()
  await server.doveadm('mailbox', 'update', '-u', mailbox.user, '--uid-validity', String(4000 + before), 'INBOX')
  // Renumbering ends the connection, after which the mailbox is not received for a while.
  await eventually(async () => {
    await mailbox.receive()
    expect(await epoch()).toBe(before + 1)
  }, patience)
  const stored = await mailbox.stored()
  await eventually(async () => expect(await mailbox.places()).toBe(stored.length), patience)
}

/** The address of a proxy that counts the bytes sent by the server. */
async function counted() {
  let bytes = 0
  const proxy = createServer((client) => {
    const upstream = connect(server.ports.imap, server.host)
    upstream.on('data', (chunk) => {
      bytes += chunk.length
    })
    client.pipe(upstream).pipe(client)
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
  })
  await once(proxy.listen(0, server.host), 'listening')
  toStop.push(() => proxy.close())
  return { port: (proxy.address() as AddressInfo).port, bytes: () => bytes }
}

describe('a mailbox that does not download attachments', () => {
  it('has the text of a message, and the names and sizes of its files, whose bytes are not transferred', async () => {
    const wire = await counted()
    const mailbox = await receiving.mailbox({ server_port: wire.port, download_attachments: 0 })
    const sent = withFile()
    await mailbox.imap.append('INBOX', sent)
    const [{ id } = { id: 0n }] = await untilCount(mailbox, 1, patience)
    const message = await shown(mailbox, id)
    expect(message).toMatchObject({ partial: '1', has_attachments: '1', size: String(sent.length) })
    expect(message.mail_body).toContain('<p>Zażółć</p>')
    expect(wire.bytes()).toBeLessThan(100_000)
    const { MailAttachment: attachments } = (await api(mailbox).get<Attachments>(`${path}/${id}/attachment`)).body
    expect(attachments.map(({ filename }) => filename)).toEqual(['one.pdf', 'two.pdf'])
    for (const [at, size] of [fileBytes, 1000].entries()) {
      // The size is derived from the encoded size that the server reports.
      const declaredSize = Number(attachments[at]?.size)
      expect([declaredSize > size * 0.95, declaredSize < size * 1.05]).toEqual([true, true])
    }
    const refused = { status: 'error', errorCode: 'MAIL_ATTACHMENTS_NOT_DOWNLOADED' }
    for (const below of ['source', 'attachment/0', 'attachment/1']) {
      const answer = await api(mailbox).get(`${path}/${id}/${below}`)
      expect([answer.status, answer.body]).toEqual([409, expect.objectContaining(refused)])
    }
  })

  it('has a message without files whole, byte for byte', async () => {
    const mailbox = await receiving.mailbox({ download_attachments: 0 })
    const sent = withoutFile()
    await mailbox.imap.append('INBOX', sent)
    const [stored] = await untilCount(mailbox, 1, patience)
    expect(stored?.sha256).toBe(sha256Of(sent))
    expect(await shown(mailbox, stored?.id ?? 0n)).toMatchObject({ partial: '0', has_attachments: '0' })
    expect((await api(mailbox).get(`${path}/${stored?.id}/source`)).text).toBe(sent.toString())
  })

  it('stores nothing twice when the server renumbers its messages, nor when it downloads attachments from then on', async () => {
    const mailbox = await receiving.mailbox({ download_attachments: 0 })
    for (const one of [withFile('1'), withoutFile(), withFile('2')]) await mailbox.imap.append('INBOX', one)
    const before = await untilCount(mailbox, 3, patience)
    await renumber(mailbox)
    expect(await mailbox.stored()).toEqual(before)
    expect((await setDownload(mailbox, 1)).status).toBe(200)
    await renumber(mailbox)
    expect(await mailbox.stored()).toEqual(before)
    await mailbox.imap.append('INBOX', withFile('3'))
    const after = await untilCount(mailbox, 4, patience)
    expect((await shown(mailbox, after[3]?.id ?? 0n)).partial).toBe('0')
  })

  it('keeps messages that are stored whole', async () => {
    const mailbox = await receiving.mailbox()
    await mailbox.imap.append('INBOX', withFile())
    const before = await untilCount(mailbox, 1, patience)
    expect((await setDownload(mailbox, 0)).status).toBe(200)
    await renumber(mailbox)
    expect(await mailbox.stored()).toEqual(before)
    expect((await shown(mailbox, before[0]?.id ?? 0n)).partial).toBe('0')
  })

  it('downloads them over POP3, which has only whole messages', async () => {
    const mailbox = await receiving.mailbox({ server_protocol: 3, server_port: server.ports.pop3, download_attachments: 0 })
    const sent = withFile()
    await mailbox.imap.append('INBOX', sent)
    const [stored] = await untilCount(mailbox, 1, patience)
    expect(stored?.sha256).toBe(sha256Of(sent))
  })
})
