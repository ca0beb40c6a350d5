import { linkTopic } from '@caseway/protos/topics'
import type { Person, TestTenant } from '@caseway/testing'
import { declaredResources } from '@caseway/testing/declared-resources'
import { object } from '@caseway/testing/fake-objects'
import { itServesListsFromIndexes } from '@caseway/testing/list-indexes'
import { itKeepsPeople } from '@caseway/testing/people'
import { itIsolatesTenants } from '@caseway/testing/tenant-isolation'
import { afterAll, beforeAll } from '@jest/globals'
import { tables } from '../src/tables.js'
import { attach, type Files, startFiles, upload } from './support/files.js'

const listed = await declaredResources(new URL('../src/', import.meta.url))

let files: Files
let here: TestTenant
let client: Person<unknown>
beforeAll(async () => {
  files = await startFiles()
  here = await files.officeIn('Europe/Rome')
  client = files.client(here)
  await files.publish(linkTopic, ...files.auth.links)
  const http = files.asClient(client)
  const sentence = object({ customerId: here.customerId, userClientId: client.userId })
  files.owner.objects.push(sentence)
  await attach(http, await upload(http, 'Here'), 'IssueSentence', sentence.id)
})
afterAll(() => files.stop())

itIsolatesTenants(tables, () => ({ database: files.database, customerId: here.customerId, clientId: client.userId }))
itServesListsFromIndexes(listed, () => files.database)
itKeepsPeople(['customers', 'client_links'], () => files)
