import { eventually } from '@caseway/testing'
import { type TestService, testService } from '@caseway/testing/service'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { mail } from '../../src/wiring.js'
import { createMailServer } from '../support/mail-servers.js'
import { officeWithMail } from '../support/mailbox.js'
import { type ScriptedServer, scriptedServer } from '../support/scripted-server.js'
import { mailFolder } from '../support/storage.js'

const message = 'From: a@elsewhere.example\r\nSubject: Larger than it was said\r\n\r\nThe body.\r\n'
const answers: Readonly<Record<string, string>> = {
  UIDL: '+OK\r\n1 a\r\n.\r\n',
  LIST: '+OK\r\n1 7\r\n.\r\n',
  'TOP 1 0': `+OK\r\n${message.slice(0, message.indexOf('The body.'))}.\r\n`,
  'RETR 1': `+OK\r\n${message}.\r\n`,
}

let storage: Awaited<ReturnType<typeof mailFolder>>
let server: ScriptedServer
let service: TestService
beforeAll(async () => {
  storage = await mailFolder()
  server = await scriptedServer({ greeting: '+OK hello\r\n', answer: (line) => answers[line] ?? '+OK\r\n' })
  service = await testService(mail, { variables: { MAIL_FOLDER: storage.folder, OUTBOUND_PRIVATE_HOSTS: '127.0.0.1' } })
})
afterAll(async () => {
  await service.stop()
  await server.stop()
  await storage.remove()
})

it('a message whose server reports a wrong size is served whole, with its real size', async () => {
  const http = service.asExpert(officeWithMail(service).expert)
  await createMailServer(http, { server_protocol: 3, server_address: '127.0.0.1', server_port: server.port, server_encryption: 0 })
  const path = '/mail_received_mysql_message'
  const [found] = await eventually(async () => {
    const { body } = await http.get<{ MailReceivedMysqlMessage: { id: string; size: string } }[]>(path)
    expect(body).toHaveLength(1)
    return body
  })
  expect(Number(found?.MailReceivedMysqlMessage.size)).toBe(message.length)
  const source = await http.get(`${path}/${found?.MailReceivedMysqlMessage.id}/source`)
  expect([source.status, source.text]).toEqual([200, message])
})
