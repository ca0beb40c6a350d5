import { randomId, type TestTenant } from '@caseway/testing'
import { declaredResources } from '@caseway/testing/declared-resources'
import { itServesListsFromIndexes } from '@caseway/testing/list-indexes'
import { type TestService, testService } from '@caseway/testing/service'
import { itIsolatesTenants } from '@caseway/testing/tenant-isolation'
import { afterAll, beforeAll } from '@jest/globals'
import { tables } from '../src/tables.js'
import { mail } from '../src/wiring.js'
import { fillMessages } from './support/filled-messages.js'
import { createMailServer } from './support/mail-servers.js'

let service: TestService
let here: TestTenant
beforeAll(async () => {
  service = await testService(mail, { variables: { MAIL_ROLES: 'http' } })
  here = service.office()
  // A row in each table, written as a caller writes it.
  const expert = service.asExpert(here.expert)
  const mail_server_id = await createMailServer(expert)
  await expert.delete(`/mail_server/${await createMailServer(expert)}`)
  await expert.post('/mail_template', { MailTemplate: { name: 'A greeting' } })
  await expert.post('/mail_command', { MailCommand: { command_id: 2, mail_server_id } })
  await fillMessages(service, here)
})
afterAll(() => service.stop())

itIsolatesTenants(tables, () => ({ database: service.database, customerId: here.customerId, clientId: randomId() }))
itServesListsFromIndexes(await declaredResources(new URL('../src/', import.meta.url)), () => service.database)
