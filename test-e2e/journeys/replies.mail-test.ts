import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { eventually, type HttpClient } from '@caseway/testing'
import { type Dovecot, dovecot, withoutPenalty } from '@caseway/testing/dovecot'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { SMTPServer } from 'smtp-server'
import type { Demo } from '../../deploy/local/src/demo/demo-file.js'
import { signInAs } from '../support/people.js'
import { type Launcher, launch, temporaryHome } from '../support/platform.js'

const patience = { timeoutMs: 60_000 }
const { home, remove } = temporaryHome()
const user = randomUUID()
const address = `${user}@office.example`
const delivered: { to: string[]; message: string }[] = []

/** The value of a header, unfolded. */
const header = (message: string, name: string) =>
  new RegExp(`^${name}: (.*)$`, 'im').exec(message.replaceAll(/\r\n[ \t]+/g, ' '))?.[1] ?? ''

let server: Dovecot
let smtp: SMTPServer
let launcher: Launcher
let demo: Demo
let expert: HttpClient
beforeAll(async () => {
  server = await dovecot(withoutPenalty)
  smtp = new SMTPServer({
    ...{ logger: false, authMethods: ['PLAIN'], disabledCommands: ['STARTTLS'] },
    onAuth: ({ username }, _, done) => done(null, { user: username }),
    onData: (stream, { envelope }, done) => {
      const to = envelope.rcptTo.map((recipient) => recipient.address)
      void text(stream).then((message) => {
        delivered.push({ to, message })
        done(null)
      }, done)
    },
  })
  await new Promise<void>((done) => smtp.listen(0, server.host, done))
  launcher = launch(home, { OUTBOUND_PRIVATE_HOSTS: server.host, MAIL_FETCH_INTERVAL_SECONDS: '5' })
  demo = await launcher.ready()
  expert = (await signInAs(demo, 'expert')).api
  const { port } = smtp.server.address() as { port: number }
  const names = { user_name: 'Anna', user_email: address, user_login: user, user_password: server.password, server_address: server.host }
  for (const [server_protocol, server_port] of [
    [1, port],
    [2, server.ports.imap],
  ])
    await expert.post('/mail_server', { MailServer: { ...names, server_protocol, server_port, server_encryption: 0 } })
}, 120_000)
afterAll(async () => {
  await launcher?.stop()
  await new Promise<void>((done) => smtp.close(done))
  await server.stop()
  remove()
})

/** Delivers a message into the mailbox of the expert. */
async function arrives(message: string) {
  // Readable for Dovecot, which runs as another user.
  const file = join(tmpdir(), `${randomUUID()}.eml`)
  await writeFile(file, message, { mode: 0o644 })
  await server.doveadm('save', '-u', user, '-m', 'INBOX', file)
  await rm(file)
}

it('what an expert sends in a case reaches its client by mail, and the answer of the client is in the case', async () => {
  const [client = { user_id: '', username: '' }] = demo.clients
  const administrator = (await signInAs(demo, 'administrator')).api
  const { body: issue } = await expert.post<{ id: number }>('/issue', {
    Issue: { subject: 'Annual statement', user_client_id: client.user_id },
  })
  const say = async (body: string) =>
    (await expert.post<{ id: number }>('/issue_sentence', { IssueSentence: { issue_id: String(issue.id), body } })).body.id
  const mailed = async (sentence: number) =>
    (await expert.get<{ MailSentence: { state: string } }[]>(`/mail_sentence?issue_sentence_id=${sentence}`)).body[0]?.MailSentence.state
  const unwanted = await say('Not by mail')
  await administrator.put('/customer/me', { Customer: { sentences_by_mail: '1' } })
  // Mail learns of the setting a moment later, so sentences are sent until one is mailed.
  const sentence = await eventually(async () => {
    const id = await say('Dear client,\n\nhere it is.')
    await eventually(async () => expect(await mailed(id)).toBeDefined(), { timeoutMs: 2000 })
    return id
  }, patience)
  await eventually(async () => expect(await mailed(sentence)).toBe('queued'), patience)
  const sent = await eventually(() => {
    const [first] = delivered
    if (!first) throw new Error('Nothing has been sent.')
    return first
  }, patience)
  expect(sent.to).toEqual([client.username])
  expect(header(sent.message, 'Subject')).toBe('Annual statement')
  expect(sent.message).toContain('\r\nhere it is.')
  const sentId = header(sent.message, 'Message-ID')
  expect(await mailed(unwanted)).toBeUndefined()

  const answerId = `<${randomUUID()}@client.example>`
  const answer = (from: string, words: string, messageId: string) =>
    [
      ...[`From: ${from}`, `To: ${address}`, 'Subject: Re: Annual statement', `Message-ID: ${messageId}`],
      ...[`In-Reply-To: ${sentId}`, `Date: ${new Date().toUTCString()}`, '', words, ''],
    ].join('\r\n')
  await arrives(answer('eve@elsewhere.example', 'Not of the case', `<${randomUUID()}@elsewhere.example>`))
  await arrives(answer(client.username, 'Thank you', answerId))
  const inCase = async () =>
    (
      await expert.get<{ MailReceivedMysqlMessage: { mail_address: string; folder_name: string } }[]>(
        `/mail_received_mysql_message?issue_id=${issue.id}`,
      )
    ).body.map(({ MailReceivedMysqlMessage: { mail_address, folder_name } }) => [mail_address, folder_name])
  // A copy of the sent message may be there as well.
  await eventually(async () => expect(await inCase()).toContainEqual([client.username, 'CLIENTS']), patience)
  expect((await inCase()).map(([from]) => from)).not.toContain('eve@elsewhere.example')

  await say('You are welcome')
  const next = await eventually(() => {
    const found = delivered.find(({ message }) => message.includes('You are welcome'))
    if (!found) throw new Error('The next one has not been sent.')
    return found.message
  }, patience)
  expect(header(next, 'References').split(' ')).toEqual(expect.arrayContaining([sentId, answerId]))
})
