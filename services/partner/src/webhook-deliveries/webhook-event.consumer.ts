import { batchConsumer, type Consumer, type Topic } from '@caseway/kit/events'
import { LinkState } from '@caseway/protos/auth/v1/events'
import { ContactKind } from '@caseway/protos/cases_and_counters/v1/events'
import { IntegrationState } from '@caseway/protos/partner/v1/events'
import {
  answerTopic,
  cardTopic,
  contactTopic,
  customerTopic,
  fileTopic,
  groupTopic,
  integrationTopic,
  issueTopic,
  linkTopic,
  sentenceTopic,
  userTopic,
} from '@caseway/protos/topics'
import type { EventType, WebhookEvent } from '../webhook-events/event-type.js'

/** An event of the platform as a webhook event: the office, the record, and the type. */
interface EventParts {
  readonly customerId: bigint
  readonly recordId: bigint
  readonly type: EventType
}

interface State {
  readonly revision: bigint
  readonly deleted?: boolean
  /** Whether the record is there again after it was deleted. */
  readonly resumed?: boolean
}

/** The first state of a record has the revision 1. */
const changeOf = ({ revision, deleted = false, resumed = false }: State) =>
  deleted ? 'deleted' : resumed || revision === 1n ? 'created' : 'updated'

const endedStates: readonly LinkState[] = [LinkState.ENDED, LinkState.ERASED]

const issueChanges = { opened: 'created', deleted: 'deleted' } as const

/** Consumers that convert events of the services to webhook events. */
export function webhookEvents(store: (events: readonly WebhookEvent[]) => Promise<void>): Consumer[] {
  const consumerOf = <T>(topic: Topic<T>, eventOf: (event: T) => EventParts | undefined): Consumer =>
    // Consumers of the service's copies are subscribed to some of these topics as well.
    batchConsumer(
      topic,
      (events, metas) =>
        store(
          metas.flatMap(({ id, time }, at) => {
            const parts = eventOf(events[at] as T)
            return parts ? [{ id, time, ...parts }] : []
          }),
        ),
      `webhooks of ${topic.name}`,
    )

  return [
    consumerOf(issueTopic, ({ customerId, issueId: recordId, change }) => {
      const happened = change && change.$case in issueChanges ? issueChanges[change.$case as keyof typeof issueChanges] : 'updated'
      return { customerId, recordId, type: `issue.${happened}` }
    }),
    consumerOf(sentenceTopic, ({ customerId, sentenceId: recordId }) => ({ customerId, recordId, type: 'issue_sentence.sent' })),
    consumerOf(contactTopic, ({ customerId, id: recordId, kind, ...state }) =>
      kind === ContactKind.PROVIDER_PERSON ? { customerId, recordId, type: `provider_person.${changeOf(state)}` } : undefined,
    ),
    consumerOf(userTopic, ({ customerId, id: recordId, revision }) => ({
      ...{ customerId, recordId, type: revision === 1n ? 'user.created' : 'user.updated' },
    })),
    // Not sent again when a client is erased whose link has already ended.
    consumerOf(linkTopic, ({ customerId, clientId: recordId, state, revision, resumed, alreadyEnded }) =>
      alreadyEnded
        ? undefined
        : { customerId, recordId, type: `client.${changeOf({ revision, resumed, deleted: endedStates.includes(state) })}` },
    ),
    consumerOf(groupTopic, ({ customerId, id: recordId, ...state }) => ({ customerId, recordId, type: `group.${changeOf(state)}` })),
    // A deleted office has no webhooks any more.
    consumerOf(customerTopic, ({ id, deleted }) => (deleted ? undefined : { customerId: id, recordId: id, type: 'customer.updated' })),
    consumerOf(fileTopic, ({ customerId, id: recordId, ...state }) => ({ customerId, recordId, type: `common_file.${changeOf(state)}` })),
    consumerOf(cardTopic, ({ customerId, id: recordId }) => ({ customerId, recordId, type: 'company_card.published' })),
    consumerOf(answerTopic, ({ customerId, id: recordId }) => ({ customerId, recordId, type: 'poll_answer.created' })),
    consumerOf(integrationTopic, ({ customerId, id: recordId, state, revision }) => ({
      ...{ customerId, recordId, type: `partner_oauth2.${changeOf({ revision, deleted: state === IntegrationState.DELETED })}` },
    })),
  ]
}
