import { eventually } from '@caseway/testing'
import { afterEach, expect, it } from '@jest/globals'
import { type TestReceiving, testReceiving } from '../support/receiving.js'
import { imapScript, messageOf } from '../support/scripted-imap.js'
import { type ScriptedServer, scriptedServer } from '../support/scripted-server.js'

let server: ScriptedServer
let receiving: TestReceiving
afterEach(async () => {
  await receiving.stop()
  await server.stop()
})

it.each([
  ['the one that the server reports', '"01-Jan-1900 10:00:00 +0000"', '1900-01-01T10:00:00.000Z'],
  ['that of the header where the server reports none', 'NIL', '2026-11-20T08:00:00.000Z'],
  ['that of the header where the server reports an unreadable one', '"99-Foo-2026 10:00:00 +0000"', '2026-11-20T08:00:00.000Z'],
  ['that of the header where the server reports one beyond the year 9999', '"31-Dec-9999 23:59:59 -1200"', '2026-11-20T08:00:00.000Z'],
])('the date of arrival is %s', async (_, reported, shown) => {
  const message = `Date: Fri, 20 Nov 2026 08:00:00 +0000\r\n${messageOf('One')}`
  const folders = new Map([['INBOX', { uidValidity: 1, messages: new Map([[1, message]]) }]])
  const usual = imapScript({ folders })
  const connection = {}
  usual.answer?.('a SELECT INBOX', connection)
  const deviation = (line: string, tag: string) =>
    line.startsWith('UID FETCH')
      ? usual.answer?.(`${tag} ${line}`, connection)?.replace(/INTERNALDATE "[^"]*"/, `INTERNALDATE ${reported}`)
      : undefined
  server = await scriptedServer(imapScript({ folders, deviation }))
  receiving = await testReceiving({ host: '127.0.0.1', ports: { imap: server.port }, password: 'a password' })
  await receiving.mailbox({ fetch_after_date: '1899-01-01' })
  const dates = () => receiving.service.database.rows<{ timestamp: Date }>('SELECT timestamp FROM mail_received_messages')
  await eventually(async () => expect(await dates()).toEqual([{ timestamp: new Date(shown) }]), { timeoutMs: 20_000 })
})
