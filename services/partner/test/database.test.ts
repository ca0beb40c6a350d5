import { randomId, type TestTenant } from '@caseway/testing'
import { declaredResources } from '@caseway/testing/declared-resources'
import { itServesListsFromIndexes } from '@caseway/testing/list-indexes'
import { itKeepsPeople } from '@caseway/testing/people'
import { itIsolatesTenants } from '@caseway/testing/tenant-isolation'
import { afterAll, beforeAll } from '@jest/globals'
import { tables } from '../src/tables.js'
import { codeFor, type Partner, path, plain, post, startPartner } from './support/integrations.js'
import { newWebhook, publishCase } from './support/webhooks.js'

let partner: Partner
let here: TestTenant
beforeAll(async () => {
  partner = await startPartner()
  here = await partner.officeIn('Europe/Rome')
  // Creates a row in each table through the API.
  const expert = partner.asExpert(here.expert)
  await expert.get(`${path}/authorize`)
  await post(expert, { auth_code: await codeFor(partner, plain) })
  await newWebhook(expert, { url: 'https://hooks.example' })
  await publishCase(partner, here, randomId())
  await partner.database.rows('INSERT INTO client_data_changes (id, external_user_id) VALUES (gen_random_uuid(), $1)', ['external'])
})
afterAll(() => partner.stop())

itIsolatesTenants(tables, () => ({ database: partner.database, customerId: here.customerId, clientId: randomId() }))
itServesListsFromIndexes(await declaredResources(new URL('../src/', import.meta.url)), () => partner.database)
itKeepsPeople(['customers'], () => partner)
