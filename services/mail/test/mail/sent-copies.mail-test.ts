import { randomUUID } from 'node:crypto'
import { eventually } from '@caseway/testing'
import { type Dovecot, dovecot, withoutPenalty } from '@caseway/testing/dovecot'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { ImapFlow } from 'imapflow'
import { uncertainText } from '../../src/sending/queued-message.js'
import { faultySmtp } from '../support/faulty-smtp.js'
import { createMailServer } from '../support/mail-servers.js'
import { type ScriptedServer, scriptedServer } from '../support/scripted-server.js'
import { type TestSending, testSending } from '../support/sending.js'
import { testSmtp } from '../support/smtp-server.js'

/** The server refuses messages of more than 10 kB. */
const withLimit = `
mail_plugins = quota
protocol imap {
  mail_plugins = quota imap_quota
}
plugin {
  quota = count:User
  quota_vsizes = yes
  quota_max_mail_size = 10k
}`

let server: Dovecot
let sending: TestSending
beforeAll(async () => {
  server = await dovecot(`${withoutPenalty}\n${withLimit}`)
  const hosts = { OUTBOUND_PRIVATE_HOSTS: `127.0.0.1,${server.host}`, MAIL_FETCH_INTERVAL_SECONDS: '5' }
  sending = await testSending({ MAIL_ROLES: 'http,receive,send', ...hosts })
})
const toStop: (() => unknown)[] = []
afterEach(async () => {
  for (const stop of toStop.splice(0)) await stop()
})
afterAll(async () => {
  await sending.stop()
  await server.stop()
})

const patience = { timeoutMs: 30_000 }
const rows = (sql: string) => sending.service.database.rows(sql)

/** A mailbox with an SMTP and an IMAP server. */
async function pair(smtpPort: number, isReceived = false) {
  const user = randomUUID()
  const user_email = `${user}@office.example`
  const mailbox = await sending.mailbox({ server_port: smtpPort, user_email })
  const { host, ports, password } = server
  const imap = new ImapFlow({ host, port: ports.imap, secure: false, doSTARTTLS: false, logger: false, auth: { user, pass: password } })
  imap.on('error', () => undefined)
  await imap.connect()
  toStop.push(() => imap.close())
  await imap.mailboxCreate('Sent').catch(() => undefined)
  const http = sending.service.asExpert(mailbox.office.expert)
  const addPartner = () =>
    createMailServer(http, {
      ...{ user_email: user_email.toUpperCase(), user_login: user, user_password: password, server_protocol: 2 },
      ...{ server_address: host, server_port: ports.imap, server_encryption: 0 },
    })
  const partner = await addPartner()
  const pausePartner = async () => expect((await http.post(`/mail_server/${partner}/pause`)).status).toBe(200)
  // Receiving is stopped unless the test is about it, so that only the test uses the folder.
  if (!isReceived) await rows(`DELETE FROM kit.job WHERE name = 'mailbox-sync' AND key = '${partner}' AND state <> 'running'`)
  const kept = async () => {
    await imap.mailboxOpen('Sent')
    return imap.fetchAll('1:*', { envelope: true, flags: true, source: true }).catch(() => [])
  }
  return { mailbox, imap, kept, partner, addPartner, pausePartner }
}

async function smtp() {
  const started = await testSmtp()
  toStop.push(started.stop)
  return started
}
async function losingAnswers(): Promise<ScriptedServer> {
  const started = await scriptedServer(faultySmtp('dot', 'cut'))
  toStop.push(started.stop)
  return started
}

/** Skips the delay in which the copy job waits for servers that file sent messages themselves. */
async function copyNow(mailbox: { readonly id: number }): Promise<void> {
  const copies = `name = 'mail-sent-copy' AND key = '${mailbox.id}'`
  await eventually(async () => expect(await rows(`SELECT id FROM kit.job WHERE ${copies}`)).not.toEqual([]), patience)
  await rows(`UPDATE kit.job SET run_at = now(), due = now() WHERE ${copies} AND state = 'waiting'`)
  await eventually(async () => {
    expect(await rows(`SELECT id FROM mail_sent_messages WHERE mail_server_id = ${mailbox.id} AND copy_due`)).toEqual([])
  }, patience)
}

describe('what was sent', () => {
  it('is stored once on the server, unchanged and as read, and received from there', async () => {
    const { mailbox, kept } = await pair((await smtp()).port, true)
    await mailbox.queue({}, {})
    await mailbox.send()
    const sent = await mailbox.untilStatus(2, 2)
    await copyNow(mailbox)
    const copies = await kept()
    expect(copies.map(({ envelope }) => envelope?.messageId)).toEqual(sent.map(({ msg_unique_identifier: id }) => `<${id}>`))
    expect(copies.map(({ flags }) => flags?.has('\\Seen'))).toEqual([true, true])
    expect(copies[0]?.source?.toString()).toBe(`Message-ID: <${sent[0]?.msg_unique_identifier}>\r\nSubject: Hello\r\n\r\nHello\r\n.\r\n`)
    const [one] = sent
    await eventually(async () => {
      const received = `SELECT folder_name, is_read FROM mail_received_messages WHERE msg_unique_identifier = '${one?.msg_unique_identifier}'`
      expect(await rows(received)).toEqual([{ folder_name: 'SENT', is_read: true }])
    }, patience)
  })

  it('is not appended where the server has filed it itself, nor a second time by a job that has lost its lease', async () => {
    const { mailbox, imap, kept } = await pair((await smtp()).port)
    await mailbox.queue({}, {})
    await mailbox.send()
    const [filed] = await mailbox.untilStatus(2, 2)
    await imap.append('Sent', Buffer.from(`Message-ID: <${filed?.msg_unique_identifier}>\r\nSubject: Filed\r\n\r\nHello\r\n`), ['\\Seen'])
    await copyNow(mailbox)
    expect(await kept()).toHaveLength(2)
    await rows(`UPDATE mail_sent_messages SET copy_due = true, copy_tried_at = NULL WHERE mail_server_id = ${mailbox.id}`)
    await mailbox.queue({})
    await mailbox.send()
    await mailbox.untilStatus(2, 2, 2)
    await copyNow(mailbox)
    expect(await kept()).toHaveLength(3)
  })

  it('is stored although the server refuses another message before it', async () => {
    const { mailbox, kept } = await pair((await smtp()).port)
    await mailbox.queue({ bytes: `Subject: Long\r\n\r\n${'0123456789\r\n'.repeat(1000)}` }, {})
    await mailbox.send()
    const [long, short] = await mailbox.untilStatus(2, 2)
    await rows(
      `UPDATE kit.job SET run_at = now(), due = now() WHERE name = 'mail-sent-copy' AND key = '${mailbox.id}' AND state = 'waiting'`,
    )
    const due = `SELECT id FROM mail_sent_messages WHERE mail_server_id = ${mailbox.id} AND copy_due`
    await eventually(async () => expect(await rows(due)).toEqual([{ id: long?.id }]), patience)
    expect((await kept()).map(({ envelope }) => envelope?.messageId)).toEqual([`<${short?.msg_unique_identifier}>`])
  })

  it('waits for a server that is paused', async () => {
    const { mailbox, kept, partner, pausePartner } = await pair((await smtp()).port)
    const http = sending.service.asExpert(mailbox.office.expert)
    await pausePartner()
    await mailbox.queue({})
    await mailbox.send()
    await mailbox.untilStatus(2)
    const waiting = `SELECT extract(epoch FROM run_at - now()) > 3000 AS later FROM kit.job WHERE name = 'mail-sent-copy' AND key = '${mailbox.id}' AND state = 'waiting'`
    await eventually(async () => {
      await rows(
        `UPDATE kit.job SET run_at = now(), due = now() WHERE name = 'mail-sent-copy' AND key = '${mailbox.id}' AND run_at < now() + interval '1 minute'`,
      )
      expect(await rows(waiting)).toEqual([{ later: true }])
    }, patience)
    expect(await kept()).toEqual([])
    expect((await http.post(`/mail_server/${partner}/resume`)).status).toBe(200)
    await copyNow(mailbox)
    expect(await kept()).toHaveLength(1)
  })
})

describe('of several servers of a mailbox', () => {
  it('the active one stores the copy', async () => {
    const { mailbox, kept, addPartner, pausePartner } = await pair((await smtp()).port)
    await addPartner()
    await pausePartner()
    await mailbox.queue({})
    await mailbox.send()
    await mailbox.untilStatus(2)
    await copyNow(mailbox)
    expect(await kept()).toHaveLength(1)
  })
})

describe('a message whose answer was lost', () => {
  it('is not looked for on a server that is paused', async () => {
    const { mailbox, pausePartner } = await pair((await losingAnswers()).port)
    await pausePartner()
    await mailbox.queue({ phase: 'dot' })
    await mailbox.send()
    expect(await mailbox.untilStatus(3)).toMatchObject([{ error: uncertainText }])
  })

  it('was delivered when the server has filed it', async () => {
    const { mailbox, imap } = await pair((await losingAnswers()).port)
    const [id] = await mailbox.queue({ phase: 'dot', to: ['one@x.example', 'two@x.example'] })
    const [{ msg_unique_identifier: messageId } = { msg_unique_identifier: '' }] = await mailbox.messages()
    await imap.append('Sent', Buffer.from(`Message-ID: <${messageId}>\r\nSubject: Filed\r\n\r\nHello\r\n`))
    await mailbox.send()
    const [row] = await mailbox.untilStatus(2)
    expect(row).toMatchObject({ error: null, phase: null })
    expect((await mailbox.recipients(id as bigint)).map(({ state }) => state)).toEqual(['accepted', 'accepted'])
  })

  it('is looked for until the server has had time to file it; then its delivery is uncertain, and it is not sent again', async () => {
    const there = await losingAnswers()
    const { mailbox, imap } = await pair(there.port)
    await imap.append('Sent', Buffer.from('Message-ID: <another@office.example>\r\n\r\nHello\r\n'))
    await mailbox.queue({})
    await mailbox.send()
    await eventually(async () => expect(await mailbox.messages()).toMatchObject([{ status: 1, phase: 'dot' }]), patience)
    const jobs = `SELECT state FROM kit.job WHERE name = 'mail-sending' AND key = '${mailbox.id}' AND state <> 'done'`
    await mailbox.send()
    await eventually(async () => expect(await rows(jobs)).toEqual([{ state: 'waiting' }]), patience)
    expect(await mailbox.messages()).toMatchObject([{ status: 1, phase: 'dot' }])
    await rows('ALTER TABLE mail_sent_messages DISABLE TRIGGER advance_version')
    await rows(`UPDATE mail_sent_messages SET modified = now() - interval '3 minutes' WHERE mail_server_id = ${mailbox.id}`)
    await rows('ALTER TABLE mail_sent_messages ENABLE TRIGGER advance_version')
    await mailbox.send()
    expect(await mailbox.untilStatus(3)).toMatchObject([{ error: uncertainText }])
    expect(there.received().split('\r\n.\r\n')).toHaveLength(2)
  })
})
