import { eventually } from '@caseway/testing'
import { type Dovecot, dovecot } from '@caseway/testing/dovecot'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { type TestReceiving, testReceiving } from '../support/receiving.js'

/** A server without CONDSTORE and QRESYNC, which does not count changes of flags. Its drafts folder can be deleted. */
const plain = `
imap_capability = IMAP4rev1 LITERAL+ ENABLE IDLE NAMESPACE UIDPLUS LIST-STATUS SPECIAL-USE
namespace inbox {
  mailbox Drafts {
    auto = no
  }
}`

let server: Dovecot
let receiving: TestReceiving
beforeAll(async () => {
  server = await dovecot(plain)
  receiving = await testReceiving(server)
})
afterAll(async () => {
  await receiving.stop()
  await server.stop()
})

it('a flag that was set on a server without CONDSTORE is set here once its folders are compared', async () => {
  const mailbox = await receiving.mailbox()
  await mailbox.imap.append('INBOX', Buffer.from('From: ann@caseway.test\r\nSubject: Hello\r\n\r\nThe body.\r\n'))
  const read = async () => (await mailbox.stored()).map(({ is_read: isRead }) => isRead)
  const settled = async () => expect((await mailbox.row()).last_fetch_at).not.toBeNull()
  await eventually(async () => expect(await read()).toEqual([false]), { timeoutMs: 8_000 })
  await eventually(settled, { timeoutMs: 8_000 })
  expect(mailbox.imap.capabilities.has('CONDSTORE')).toBe(false)
  await mailbox.imap.mailboxOpen('INBOX')
  await mailbox.imap.messageFlagsAdd('1:*', ['\\Seen'])
  expect(await receiving.service.service.administration.mailboxes.resync(mailbox.id)).toBe(true)
  await eventually(async () => expect(await read()).toEqual([true]), { timeoutMs: 8_000 })
})

it('a draft that was removed on its server is in TRASH once its folders are compared, and one that was moved is not', async () => {
  const mailbox = await receiving.mailbox()
  await mailbox.imap.mailboxCreate('Drafts')
  for (const subject of ['Saved first', 'Saved again'])
    await mailbox.imap.append('Drafts', Buffer.from(`From: ann@caseway.test\r\nSubject: ${subject}\r\n\r\nThe body.\r\n`), ['\\Draft'])
  const folders = async () => {
    const { rows } = receiving.service.database
    const found = await rows<{ folder_name: string }>(
      `SELECT folder_name FROM mail_received_messages WHERE mail_server_id = ${mailbox.id} ORDER BY mail_subject DESC`,
    )
    return found.map(({ folder_name }) => folder_name)
  }
  await eventually(async () => expect(await folders()).toEqual(['DRAFTS', 'DRAFTS']), { timeoutMs: 8_000 })
  await mailbox.imap.mailboxOpen('Drafts')
  await mailbox.imap.messageDelete('1')
  const paths = `SELECT path FROM message_locations JOIN remote_folders ON id = remote_folder_id WHERE mail_server_id = ${mailbox.id} ORDER BY 1`
  const compared = async (expected: readonly string[], places: readonly string[]) => {
    expect(await receiving.service.service.administration.mailboxes.resync(mailbox.id)).toBe(true)
    const found = async () => (await receiving.service.database.rows<{ path: string }>(paths)).map(({ path }) => path)
    await eventually(async () => expect([await folders(), await found()]).toEqual([expected, places]), { timeoutMs: 8_000 })
  }
  await compared(['TRASH', 'DRAFTS'], ['Drafts'])
  await mailbox.imap.mailboxCreate('Work')
  await mailbox.imap.messageMove('1', 'Work')
  await compared(['TRASH', 'DRAFTS'], ['Work'])
  await mailbox.imap.append('Drafts', Buffer.from('From: ann@caseway.test\r\nSubject: Left\r\n\r\nThe body.\r\n'), ['\\Draft'])
  await compared(['TRASH', 'DRAFTS', 'DRAFTS'], ['Drafts', 'Work'])
  await mailbox.imap.mailboxClose()
  await mailbox.imap.mailboxDelete('Drafts')
  await compared(['TRASH', 'DRAFTS', 'TRASH'], ['Work'])
})
