import { auditTopic } from '@caseway/kit/audit'
import { defineTopic } from '@caseway/kit/events'
import { IssueEvent } from '@caseway/protos/cases_and_counters/v1/events'

/** What happens to cases; an office's cases in their order. */
export const issueTopic = defineTopic({
  name: 'cases-and-counters.issue.v1',
  message: IssueEvent,
  key: ({ customerId }) => String(customerId),
})

/** Everything that this service tells. */
export const topics = [issueTopic, auditTopic]
