import { office } from '@caseway/kit/database'
import { customerTopic, userTopic } from '@caseway/protos/topics'
import { randomId, type TestTenant } from '@caseway/testing'
import { customer, user } from '@caseway/testing/fake-auth'
import type { TestService } from '@caseway/testing/service'
import { createMailServer } from './mail-servers.js'
import { newMailbox, receiver, storeOne } from './mailbox.js'

/** A row in each table of messages and folders, and of what receives them. */
export async function fillMessages(service: TestService, { customerId, expert }: TestTenant): Promise<void> {
  const engine = receiver(service.database)
  const http = service.asExpert(expert)
  const box = await newMailbox(engine, { customerId }, expert.userId)
  const attachments = [{ position: 0, filename: 'a.txt', mime: 'text/plain', size: 1, contentId: null }]
  await storeOne(engine, box, 'OTHERS', { messageId: 'a@example', attachments })
  await http.post('/mail_folder_setting', { MailFolderSetting: { order: '[]' } })
  const { body } = await http.post<{ id: number }>('/mail_folder', { MailFolder: { name: 'A folder' } })
  const conditions = [{ field: 'subject', operator: 'contains', value: 'x' }]
  await http.post('/mail_folder_rule', { MailFolderRule: { name: 'A rule', mail_folder_id: body.id, conditions } })
  const mail_server_id = await createMailServer(http, { server_protocol: 1, server_port: 465 })
  await http.post('/mail_sent_mysql_message', { MailSentMysqlMessage: { mail_server_id, mail_to_address: 'a@sample.example' } })
  const mailServerId = box.id
  await engine.db.write(office(customerId), async (tx) => {
    await tx.mailGrant.create({ data: { customerId, userId: expert.userId, userEmail: 'anna@office.example', provider: 'custom' } })
    await tx.mailCommand.create({ data: { customerId, userId: expert.userId, commandId: 4, mailServerId } })
    const failure = {
      customerId,
      mailServerId,
      remoteFolderId: box.remoteFolderId,
      epoch: 1,
      uid: 1n,
      error: 'timeout',
      nextTry: new Date(),
    }
    await tx.ingestFailure.create({ data: failure })
    await tx.mailSentence.create({ data: { customerId, issueId: randomId(), issueSentenceId: randomId() } })
    await tx.sender.create({ data: { customerId, kind: 'client', id: randomId(), address: 'a@example', known: true, revision: 1n } })
  })
  await service.publish(userTopic, user({ id: expert.userId, customerId }))
  await service.publish(customerTopic, customer({ id: customerId }))
  await engine.db.close()
}
