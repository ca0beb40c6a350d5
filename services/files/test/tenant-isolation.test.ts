import { linkTopic } from '@caseway/protos/topics'
import type { Person, TestTenant } from '@caseway/testing'
import { itServesListsFromIndexes } from '@caseway/testing/list-indexes'
import { itKeepsPeople } from '@caseway/testing/people'
import { itIsolatesTenants } from '@caseway/testing/tenant-isolation'
import { afterAll, beforeAll } from '@jest/globals'
import { clientCommonFileResource, commonFileResource } from '../src/common-files/common-file.resource.js'
import { tables } from '../src/tables.js'
import { type Files, startFiles, upload } from './support/files.js'

let files: Files
let here: TestTenant
let client: Person<unknown>
beforeAll(async () => {
  files = await startFiles()
  here = await files.officeIn('Europe/Rome')
  client = files.client(here)
  await files.publish(linkTopic, ...files.auth.links)
  await upload(files.asClient(client), 'Here')
})
afterAll(() => files.stop())

itIsolatesTenants(tables, () => ({ database: files.database, customerId: here.customerId, clientId: client.userId }))
itServesListsFromIndexes([commonFileResource, clientCommonFileResource], () => files.database)
itKeepsPeople(['customers', 'client_links'], () => files)
