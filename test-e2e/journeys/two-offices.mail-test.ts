import { eventually, type HttpClient } from '@caseway/testing'
import { type Dovecot, dovecot, withoutPenalty } from '@caseway/testing/dovecot'
import { type Postfix, postfix } from '@caseway/testing/postfix'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { Demo } from '../../deploy/local/src/demo/demo-file.js'
import { signInAs } from '../support/people.js'
import { type Launcher, launch, temporaryHome } from '../support/platform.js'

const patience = { timeoutMs: 60_000 }
const { home, remove } = temporaryHome()

interface Office {
  readonly address: string
  readonly api: HttpClient
  /** The id of the sending mailbox. */
  readonly mailServer: string
}

let imap: Dovecot
let smtp: Postfix
let launcher: Launcher
let here: Office
let there: Office
beforeAll(async () => {
  imap = await dovecot(withoutPenalty)
  const addresses = ['expert@nowak.example', 'expert@almeida.example']
  smtp = await postfix({ mailboxes: { ...imap.mail, addresses } })
  launcher = launch(home, { OUTBOUND_PRIVATE_HOSTS: imap.host, MAIL_FETCH_INTERVAL_SECONDS: '5' })
  const demo = await launcher.ready()
  here = await office(demo, 0)
  there = await office(demo, 1)
}, 120_000)
afterAll(async () => {
  await launcher?.stop()
  await smtp?.stop()
  await imap?.stop()
  remove()
})

/** An expert with a mailbox at their own address. */
async function office(demo: Demo, index: number): Promise<Office> {
  const { api } = await signInAs(demo, 'expert', index)
  const address = demo.offices[index]?.accounts.expert.username ?? ''
  const names = { user_name: address, user_email: address, user_login: address, user_password: imap.password, server_address: imap.host }
  const add = async (server_protocol: number, server_port: number) =>
    (await api.post<{ id: number }>('/mail_server', { MailServer: { ...names, server_protocol, server_port, server_encryption: 0 } })).body
      .id
  const mailServer = String(await add(1, smtp.port))
  await add(2, imap.ports.imap)
  return { address, api, mailServer }
}

interface Received {
  readonly id: string
  readonly mail_address: string
  readonly mail_thread_id: string
  readonly mail_subject: string
  readonly msg_unique_identifier: string
  readonly in_reply_to_msg_uid: string | null
  readonly folder_name: string
  readonly issue_id: string | null
}
interface Sent {
  readonly status: string
  readonly msg_unique_identifier: string
  readonly issue_id: string | null
}

const caseOf = async ({ api }: Office, fields: object) =>
  String((await api.post<{ id: number }>('/issue', { Issue: { subject: 'Annual statement', ...fields } })).body.id)

async function write({ api, mailServer }: Office, fields: object): Promise<number> {
  const message = { mail_server_id: mailServer, mail_subject: 'Annual statement', mail_body: '<p>Hello</p>', status: 0, ...fields }
  const { status, body, text } = await api.post<{ id: number }>('/mail_sent_mysql_message', { MailSentMysqlMessage: message })
  if (status !== 201) throw new Error(`The message was refused: ${status} ${text}`)
  return body.id
}
const whenSent = ({ api }: Office, id: number) =>
  eventually(async () => {
    const { MailSentMysqlMessage: sent } = (await api.get<{ MailSentMysqlMessage: Sent }>(`/mail_sent_mysql_message/${id}`)).body
    expect(sent.status).toBe('2')
    return sent
  }, patience)

/** Of the copies of a message, the one that was received from the other office. */
const whenReceived = ({ api }: Office, { msg_unique_identifier: id }: Sent) =>
  eventually(async () => {
    const { body } = await api.get<{ MailReceivedMysqlMessage: Received }[]>('/mail_received_mysql_message')
    const [found] = body
      .map(({ MailReceivedMysqlMessage: message }) => message)
      .filter((message) => message.msg_unique_identifier === id && message.folder_name !== 'SENT')
    if (!found) throw new Error(`The message ${id} has not arrived.`)
    return found
  }, patience)

const unread = async ({ api }: Office) =>
  (await api.get<{ Counter: { MailReceivedMysqlMessage: Record<string, unknown> } }>('/counter')).body.Counter.MailReceivedMysqlMessage
const read = ({ api }: Office, { id }: Received, fields: object = {}) =>
  api.put(`/mail_received_mysql_message/${id}`, { MailReceivedMysqlMessage: { is_read: 1, ...fields } })

it('one office writes to another, which answers: conversation, counters and cases are right on both sides', async () => {
  const { body: provider } = await here.api.post<{ id: number }>('/provider', { Provider: { name: 'Almeida Advisers' } })
  const person = { provider_id: String(provider.id), first_name: 'Ana', last_name: 'Almeida', email: there.address }
  expect((await here.api.post('/provider_person', { ProviderPerson: person })).status).toBe(201)
  const ownCase = await caseOf(here, { provider_id: String(provider.id) })
  const theirCase = await caseOf(there, {})

  const question = await whenSent(here, await write(here, { mail_to_address: [there.address], issue_id: ownCase }))
  const receivedQuestion = await whenReceived(there, question)
  expect(receivedQuestion).toMatchObject({
    mail_address: here.address,
    folder_name: 'OFFICES',
    issue_id: null,
    mail_subject: 'Annual statement',
  })
  await eventually(async () => expect(await unread(there)).toMatchObject({ offices: 1, others: 0 }), patience)
  expect((await read(there, receivedQuestion, { issue_id: theirCase })).status).toBe(200)
  await eventually(async () => expect(await unread(there)).toMatchObject({ offices: 0 }), patience)

  const answer = await whenSent(there, await write(there, { mail_to_address: [here.address], reply_to_message_id: receivedQuestion.id }))
  expect(answer.issue_id).toBe(theirCase)
  const receivedAnswer = await whenReceived(here, answer)
  expect(receivedAnswer).toMatchObject({ mail_address: there.address, in_reply_to_msg_uid: question.msg_unique_identifier })
  await eventually(async () => {
    expect(await whenReceived(here, answer)).toMatchObject({ folder_name: 'PROVIDERS', issue_id: ownCase })
    expect(await unread(here)).toMatchObject({ providers: 1, offices: 0, others: 0 })
  }, patience)

  const thanks = await whenSent(here, await write(here, { mail_to_address: [there.address], reply_to_message_id: receivedAnswer.id }))
  expect(thanks.issue_id).toBe(ownCase)
  const receivedThanks = await whenReceived(there, thanks)
  expect(receivedThanks).toMatchObject({ mail_thread_id: receivedQuestion.mail_thread_id, folder_name: 'OFFICES' })
  await eventually(async () => expect(await unread(there)).toMatchObject({ offices: 1 }), patience)
  expect((await read(here, receivedAnswer)).status).toBe(200)
  await eventually(async () => expect(await unread(here)).toMatchObject({ providers: 0 }), patience)
})

it('an undeliverable message notifies its author, and enters no case', async () => {
  const ownCase = await caseOf(here, {})
  const id = await write(here, { mail_to_address: ['anna@bounced.example'], issue_id: ownCase })
  await eventually(async () => {
    const { MailSentMysqlMessage: sent } = (await here.api.get<{ MailSentMysqlMessage: Sent }>(`/mail_sent_mysql_message/${id}`)).body
    expect(sent.status).toBe('3')
  }, patience)
  await eventually(async () => {
    const { body } = await here.api.get<{ Notification: { type: string } }[]>('/notification')
    expect(body.map(({ Notification: { type } }) => type)).toContain('mail_error')
  }, patience)
  const { body } =
    await here.api.get<{ MailReceivedMysqlMessage: { auto_kind: string; issue_id: string | null } }[]>('/mail_received_mysql_message')
  const reports = body.filter(({ MailReceivedMysqlMessage: { auto_kind } }) => auto_kind === 'bounce')
  expect(reports.map(({ MailReceivedMysqlMessage: { issue_id } }) => issue_id)).toEqual([null])
})
