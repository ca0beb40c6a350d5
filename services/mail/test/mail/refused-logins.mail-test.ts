import { mailboxTopic } from '@caseway/protos/topics'
import { eventually } from '@caseway/testing'
import { type Dovecot, dovecot, withoutPenalty } from '@caseway/testing/dovecot'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type TestMailbox, type TestReceiving, testReceiving } from '../support/receiving.js'

let server: Dovecot
let receiving: TestReceiving
beforeAll(async () => {
  server = await dovecot(withoutPenalty)
  receiving = await testReceiving(server)
})
afterAll(async () => {
  await receiving.stop()
  await server.stop()
})

const patience = { timeoutMs: 20_000 }
const asOwner = ({ office }: TestMailbox) => receiving.service.asExpert(office.expert)
const untilRow = (mailbox: TestMailbox, fields: object) =>
  eventually(async () => expect(await mailbox.row()).toMatchObject(fields), patience)
const eventsOf = async ({ id }: TestMailbox) =>
  (await receiving.service.published(mailboxTopic)).map(({ event }) => event).filter((event) => event.id === id)
const jobsToDo = ({ id }: TestMailbox) =>
  receiving.service.database.rows(`SELECT state FROM kit.job WHERE name = 'mailbox-sync' AND key = '${id}' AND state <> 'done'`)

/** A mailbox whose server has refused its login five times. */
async function stoppedMailbox() {
  const mailbox = await receiving.mailbox({ user_password: 'another' })
  for (const refused_logins of [1, 2, 3, 4]) {
    await untilRow(mailbox, { state: 'active', last_error: 'auth', refused_logins })
    expect(await eventsOf(mailbox)).toEqual([])
    await mailbox.receive()
  }
  await untilRow(mailbox, { state: 'auth_failed', last_error: 'auth', refused_logins: 5 })
  return mailbox
}

describe('a mailbox whose login is refused', () => {
  it('is stopped by the fifth time within an hour, and its owner is told once', async () => {
    const mailbox = await stoppedMailbox()
    const { customerId, expert } = mailbox.office
    expect(await eventsOf(mailbox)).toEqual([{ id: mailbox.id, customerId, userId: expert.userId, revision: expect.any(BigInt) }])
    await mailbox.receive()
    await eventually(async () => expect(await jobsToDo(mailbox)).toEqual([]), patience)
    expect(await mailbox.row()).toMatchObject({ state: 'auth_failed', refused_logins: 5 })
    expect(await eventsOf(mailbox)).toHaveLength(1)
  })

  it('is started again by any PUT, and received when its password is right', async () => {
    const mailbox = await stoppedMailbox()
    await mailbox.imap.append('INBOX', Buffer.from('From: a@caseway.test\r\nSubject: Hello\r\n\r\nx\r\n'))
    const put = async (changes: object) =>
      expect((await asOwner(mailbox).put(`/mail_server/${mailbox.id}`, { MailServer: changes })).status).toBe(200)
    await put({ user_name: 'Another name' })
    await untilRow(mailbox, { state: 'active', last_error: 'auth', refused_logins: 1 })
    await put({ user_password: server.password })
    await eventually(async () => expect(await mailbox.stored()).toHaveLength(1), patience)
    await untilRow(mailbox, { state: 'active', last_error: null, refused_logins: 0, refused_since: null })
  })
})
