import { type TestDatabase, testDatabase } from '@caseway/testing'
import { itServesListsFromIndexes } from '@caseway/testing/list-indexes'
import { afterAll, beforeAll } from '@jest/globals'
import { issueSubjectResource } from '../src/issue-subjects/issue-subject.resource.js'
import { issueSubjectLabelResource } from '../src/issue-subjects/issue-subject-label.resource.js'
import { clientIssueResource } from '../src/issues/client-issue.resource.js'
import { issueResource } from '../src/issues/issue.resource.js'
import { tagResource } from '../src/tags/tag.resource.js'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase({ name: 'cases-and-counters', migrations: new URL('../prisma/migrations', import.meta.url) })
})
afterAll(() => database.drop())

itServesListsFromIndexes([issueResource, clientIssueResource, issueSubjectResource, issueSubjectLabelResource, tagResource], () => database)
