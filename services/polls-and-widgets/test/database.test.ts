import { randomId, type TestTenant } from '@caseway/testing'
import { declaredResources } from '@caseway/testing/declared-resources'
import { itServesListsFromIndexes } from '@caseway/testing/list-indexes'
import { itKeepsPeople } from '@caseway/testing/people'
import { type TestService, testService } from '@caseway/testing/service'
import { itIsolatesTenants } from '@caseway/testing/tenant-isolation'
import { afterAll, beforeAll } from '@jest/globals'
import { tables } from '../src/tables.js'
import { pollsAndWidgets } from '../src/wiring.js'
import { answerTo, newWidget, publishPoll } from './support/polls.js'

let service: TestService
let here: TestTenant
beforeAll(async () => {
  service = await testService(pollsAndWidgets)
  here = await service.officeIn('Europe/Rome')
  // Creates a row in each table through the API.
  const expert = service.asExpert(here.expert)
  const { external_hash } = await newWidget(expert)
  await publishPoll(expert)
  await service.visitor.post('/poll_answers/save', answerTo(`${here.customerId}-${external_hash}`))
})
afterAll(() => service.stop())

itIsolatesTenants(tables, () => ({ database: service.database, customerId: here.customerId, clientId: randomId() }))
itServesListsFromIndexes(await declaredResources(new URL('../src/', import.meta.url)), () => service.database)
itKeepsPeople(['customers'], () => service)
