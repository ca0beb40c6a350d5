import { type TestDatabase, testDatabase } from '@caseway/testing'
import { itServesListsFromIndexes } from '@caseway/testing/list-indexes'
import { afterAll, beforeAll } from '@jest/globals'
import { commentResource } from '../src/comments/comment.resource.js'
import { issueInitiatorResource } from '../src/issue-initiators/issue-initiator.resource.js'
import { clientSentenceResource } from '../src/issue-sentences/client-sentence.resource.js'
import { issueSentenceResource } from '../src/issue-sentences/issue-sentence.resource.js'
import { issueSubjectResource } from '../src/issue-subjects/issue-subject.resource.js'
import { issueSubjectLabelResource } from '../src/issue-subjects/issue-subject-label.resource.js'
import { issueTagResource } from '../src/issue-tags/issue-tag.resource.js'
import { clientIssueResource } from '../src/issues/client-issue.resource.js'
import { issueResource } from '../src/issues/issue.resource.js'
import { notificationResource } from '../src/notifications/notification.resource.js'
import { clientPaymentOfferResource, paymentOfferResource } from '../src/payment-offers/payment-offer.resource.js'
import { providerResource } from '../src/providers/provider.resource.js'
import { providerPersonResource } from '../src/providers/provider-person.resource.js'
import { tagResource } from '../src/tags/tag.resource.js'
import { workTimeResource } from '../src/work-times/work-time.resource.js'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase({ name: 'cases-and-counters' })
})
afterAll(() => database.drop())

const ofCases = [issueResource, clientIssueResource, issueInitiatorResource, issueSubjectResource, issueSubjectLabelResource]
const ofSentences = [commentResource, issueSentenceResource, clientSentenceResource]
const others = [
  paymentOfferResource,
  clientPaymentOfferResource,
  issueTagResource,
  notificationResource,
  providerResource,
  providerPersonResource,
  tagResource,
  workTimeResource,
]

itServesListsFromIndexes([...ofCases, ...ofSentences, ...others], () => database)
