import { randomUUID } from 'node:crypto'
import { eventually } from '@caseway/testing'
import { type Dovecot, dovecot } from '@caseway/testing/dovecot'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { hostileMessages } from '../support/hostile-messages.js'
import { sha256Of, type TestReceiving, testReceiving, untilStored } from '../support/receiving.js'

let server: Dovecot
let receiving: TestReceiving
beforeAll(async () => {
  server = await dovecot()
  receiving = await testReceiving(server)
})
afterAll(async () => {
  await receiving.stop()
  await server.stop()
})

const patience = { timeoutMs: 40_000 }
const messages = (count: number) =>
  Array.from({ length: count }, () => Buffer.from(`From: a@caseway.test\r\nSubject: ${randomUUID()}\r\n\r\nThe body.\r\n`))

describe('receiving', () => {
  it('stores hostile messages byte for byte, and other mailboxes do not notice', async () => {
    const [mailbox, other] = [await receiving.mailbox(), await receiving.mailbox()]
    const sent = Object.values(hostileMessages)
    for (const one of sent) await mailbox.imap.append('INBOX', one)
    const ordinary = messages(3)
    for (const one of ordinary) await other.imap.append('INBOX', one)
    await untilStored(other, ordinary)
    await untilStored(mailbox, sent)
    for (const one of await mailbox.stored()) expect(sha256Of(await mailbox.bytesOf(one))).toBe(one.sha256)
  })

  it('loses and doubles nothing when its lease is lost in the middle', async () => {
    const mailbox = await receiving.mailbox()
    const sent = messages(600)
    for (const one of sent) await mailbox.imap.append('INBOX', one)
    const { rows } = receiving.service.database
    await eventually(async () => expect((await mailbox.stored()).length).toBeGreaterThan(0), patience)
    await rows(`UPDATE kit.job SET fence = fence + 1 WHERE name = 'mailbox-sync' AND key = '${mailbox.id}' AND lease_until IS NOT NULL`)
    await untilStored(mailbox, sent)
    expect(await mailbox.places()).toBe(600)
  })

  it('loses and doubles nothing when its server ends in the middle', async () => {
    const mailbox = await receiving.mailbox()
    await eventually(async () => expect((await mailbox.row()).last_fetch_at).not.toBeNull(), patience)
    const sent = messages(400)
    for (const one of sent) await mailbox.imap.append('INBOX', one)
    await server.kill()
    await eventually(async () => expect((await mailbox.row()).last_error).not.toBeNull(), patience)
    await server.start()
    const http = receiving.service.asExpert(mailbox.office.expert)
    await http.put(`/mail_server/${mailbox.id}`, { MailServer: { user_name: 'Again' } })
    await untilStored(mailbox, sent)
    expect(await mailbox.row()).toMatchObject({ last_error: null, failures: 0 })
  })

  it('goes on in another copy when one stops', async () => {
    const mailbox = await receiving.mailbox()
    await eventually(async () => expect((await mailbox.row()).last_fetch_at).not.toBeNull(), patience)
    const other = await receiving.service.copy()
    await receiving.service.service.stop()
    const sent = messages(20)
    for (const one of sent) await mailbox.imap.append('INBOX', one)
    await untilStored(mailbox, sent)
    await other.stop()
  })
})
