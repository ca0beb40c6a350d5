import { eventually } from '@caseway/testing'
import { afterEach, expect, it } from '@jest/globals'
import { type TestReceiving, testReceiving } from '../support/receiving.js'
import { type Deviation, imapScript, messageOf, scriptedFolder } from '../support/scripted-imap.js'
import { type ScriptedServer, scriptedServer } from '../support/scripted-server.js'

let server: ScriptedServer
let receiving: TestReceiving
afterEach(async () => {
  await receiving.stop()
  await server.stop()
})

const patience = { timeoutMs: 20_000 }

it('a folder that is made anew after its state was reported is received as another one, and gets no read flags of the old one', async () => {
  const INBOX = scriptedFolder('One', 'Two')
  let isDue = false
  const deviation: Deviation = (line) => {
    if (!line.startsWith('SELECT') || !isDue) return undefined
    isDue = false
    INBOX.uidValidity = 2
    for (const [at, subject] of ['New one', 'New two', 'New three'].entries()) INBOX.messages.set(at + 1, messageOf(subject))
    return undefined
  }
  server = await scriptedServer(imapScript({ folders: new Map([['INBOX', INBOX]]), deviation }))
  receiving = await testReceiving({ host: '127.0.0.1', ports: { imap: server.port }, password: 'a password' })
  const mailbox = await receiving.mailbox()
  await eventually(async () => expect((await mailbox.row()).last_fetch_at).not.toBeNull(), patience)
  const [{ id } = { id: 0n }] = await mailbox.stored()
  isDue = true
  const http = receiving.service.asExpert(mailbox.office.expert)
  expect((await http.put(`/mail_received_mysql_message/${id}`, { MailReceivedMysqlMessage: { is_read: 1 } })).status).toBe(200)
  const subjects = ['One', 'Two', 'New one', 'New two', 'New three']
  await eventually(async () => expect((await mailbox.subjects()).sort()).toEqual(subjects.sort()), patience)
  expect(isDue).toBe(false)
  expect(server.received()).not.toContain('UID STORE')
  const folders = () => receiving.service.database.rows('SELECT uid_validity::int, epoch, last_uid::int FROM remote_folders')
  await eventually(async () => expect(await folders()).toEqual([{ uid_validity: 2, epoch: 2, last_uid: 3 }]), patience)
  expect(await mailbox.places()).toBe(3)
})
