import { randomUUID } from 'node:crypto'
import { eventually, type HttpClient } from '@caseway/testing'
import { type Dovecot, dovecot, withoutPenalty } from '@caseway/testing/dovecot'
import { type Postfix, postfix } from '@caseway/testing/postfix'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createMailServer } from '../support/mail-servers.js'
import { type SendingMailbox, type TestSending, testSending } from '../support/sending.js'

const [writer, reader] = [`${randomUUID()}@office.example`, `${randomUUID()}@office.example`]
let imap: Dovecot
let smtp: Postfix
let sending: TestSending
let mailbox: SendingMailbox
let http: HttpClient
beforeAll(async () => {
  imap = await dovecot(withoutPenalty)
  smtp = await postfix({ mailboxes: { ...imap.mail, addresses: [writer, reader] } })
  sending = await testSending({ MAIL_ROLES: 'http,receive,send', OUTBOUND_PRIVATE_HOSTS: imap.host, MAIL_FETCH_INTERVAL_SECONDS: '5' })
  mailbox = await sending.mailbox({ server_port: smtp.port, user_email: writer })
  http = sending.service.asExpert(mailbox.office.expert)
  await createMailServer(http, { ...received(writer), user_email: writer })
})
afterAll(async () => {
  await sending?.stop()
  await smtp?.stop()
  await imap?.stop()
})

const patience = { timeoutMs: 60_000 }
const received = (address: string) => ({
  ...{ user_email: address, user_login: address, user_password: imap.password, server_protocol: 2 },
  ...{ server_address: imap.host, server_port: imap.ports.imap, server_encryption: 0 },
})

interface Sent {
  readonly MailSentMysqlMessage: { readonly status: string; readonly error: string | null; readonly msg_unique_identifier: string }
  readonly MailSentRecipient: readonly { readonly address: string; readonly state: string; readonly error: string }[]
}
const path = '/mail_sent_mysql_message'
async function send(...to: string[]): Promise<number> {
  const message = {
    mail_server_id: mailbox.id,
    mail_to_address: to,
    mail_subject: 'Zażółć gęślą jaźń',
    mail_body: '<p>Hello</p>',
    status: 0,
  }
  const { status, body, text } = await http.post<{ id: number }>(path, { MailSentMysqlMessage: message })
  if (status !== 201) throw new Error(`The message was refused: ${status} ${text}`)
  return body.id
}
const shown = async (id: number) => (await http.get<Sent>(`${path}/${id}`)).body
const statesOf = async (id: number) => Object.fromEntries((await shown(id)).MailSentRecipient.map(({ address, state }) => [address, state]))
const errorsOf = async (id: number) => Object.fromEntries((await shown(id)).MailSentRecipient.map(({ address, error }) => [address, error]))

interface Received {
  readonly MailReceivedMysqlMessage: {
    readonly mail_subject: string
    readonly mail_address: string
    readonly msg_unique_identifier: string
    readonly auto_kind: string | null
    readonly issue_id: string | null
  }
}
const inbox = async (by: HttpClient) =>
  (await by.get<Received[]>('/mail_received_mysql_message')).body.map(({ MailReceivedMysqlMessage: message }) => message)

describe('a real server', () => {
  it('answers for each recipient: accepted, unknown, deferred, and unknown only later', async () => {
    const id = await send(reader, 'nobody@office.example', 'anna@deferred.example', 'anna@bounced.example')
    await eventually(async () => {
      expect(await statesOf(id)).toEqual({
        ...{
          [reader]: 'accepted',
          'nobody@office.example': 'refused',
          'anna@deferred.example': 'deferred',
          'anna@bounced.example': 'failed',
        },
      })
    }, patience)
    const errors = await errorsOf(id)
    expect(errors['nobody@office.example']).toMatch(/^550 5\.1\.1 /)
    expect(errors['anna@deferred.example']).toMatch(/^450 4\.2\.0 .*Try again later/)
    expect(errors['anna@bounced.example']).toMatch(/^The message could not be delivered \(5\.1\.1\): .*[Uu]nknown user/)
  })

  it('returns a message that it cannot deliver: the report changes the message, and is linked to no case', async () => {
    const id = await send('anna@bounced.example')
    const { MailSentMysqlMessage: taken } = await eventually(async () => {
      const found = await shown(id)
      expect(found.MailSentMysqlMessage.status).toBe('3')
      return found
    }, patience)
    expect(taken.error).toMatch(/[Uu]nknown user/)
    const reports = (await inbox(http)).filter(({ auto_kind }) => auto_kind === 'bounce')
    expect(reports.length).toBeGreaterThan(0)
    expect(reports.every(({ issue_id }) => issue_id === null)).toBe(true)
  })

  it('delivers a message once, and its reader has it as it was written', async () => {
    const there = await sending.mailbox({ server_port: smtp.port, user_email: reader })
    const other = sending.service.asExpert(there.office.expert)
    await createMailServer(other, { ...received(reader), user_email: reader })
    const id = await send(reader)
    const { msg_unique_identifier: messageId } = (await shown(id)).MailSentMysqlMessage
    const arrived = async () => (await inbox(other)).filter(({ msg_unique_identifier }) => msg_unique_identifier === messageId)
    await eventually(
      async () => expect(await arrived()).toMatchObject([{ mail_subject: 'Zażółć gęślą jaźń', mail_address: writer }]),
      patience,
    )
    expect(await statesOf(id)).toEqual({ [reader]: 'accepted' })
  })
})
