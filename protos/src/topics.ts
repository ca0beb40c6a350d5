import { AuditEvent } from './gen/caseway/audit/v1/events.js'
import {
  ClientEvent,
  CustomerEvent,
  GroupEvent,
  LinkEvent,
  RightsChangedEvent,
  SessionEvent,
  UserEvent,
} from './gen/caseway/auth/v1/events.js'
import { ContactEvent, IssueEvent, RemovedObjectsEvent, SentenceSentEvent } from './gen/caseway/cases_and_counters/v1/events.js'
import { CardEvent } from './gen/caseway/company_card/v1/events.js'
import { FileEvent } from './gen/caseway/files/v1/events.js'
import { FolderCountEvent, MailboxStoppedEvent, MessageFailedEvent, MessagesChangedEvent } from './gen/caseway/mail/v1/events.js'
import { IntegrationEvent, WebhookDisabledEvent } from './gen/caseway/partner/v1/events.js'
import { AnswerEvent } from './gen/caseway/polls_and_widgets/v1/events.js'
import { defineTopic, type Topic } from './topic.js'

const ofCustomer = ({ customerId }: { customerId: bigint }) => String(customerId)

export const customerTopic = defineTopic({ name: 'auth.customer.v1', message: CustomerEvent, key: ({ id }) => String(id) })
export const userTopic = defineTopic({ name: 'auth.user.v1', message: UserEvent, key: ofCustomer })
export const clientTopic = defineTopic({ name: 'auth.client.v1', message: ClientEvent, key: ({ id }) => String(id) })
export const linkTopic = defineTopic({ name: 'auth.link.v1', message: LinkEvent, key: ofCustomer })
export const groupTopic = defineTopic({ name: 'auth.group.v1', message: GroupEvent, key: ofCustomer })
export const rightTopic = defineTopic({ name: 'auth.right.v1', message: RightsChangedEvent, key: ofCustomer })
export const sessionTopic = defineTopic({ name: 'auth.session.v1', message: SessionEvent, key: ({ sessionId }) => sessionId })

/** The part of every service in the audit trail, which auth keeps. */
export const auditTopic = defineTopic({ name: 'audit.event.v1', message: AuditEvent, key: ({ customerId }) => String(customerId ?? 0) })

/** What happens to cases; an office's cases in their order. */
export const issueTopic = defineTopic({ name: 'cases-and-counters.issue.v1', message: IssueEvent, key: ofCustomer })

/** Whom offices talk to at their providers. */
export const contactTopic = defineTopic({ name: 'cases-and-counters.contact.v1', message: ContactEvent, key: ofCustomer })

/** The sentences that were sent in cases, each once. */
export const sentenceTopic = defineTopic({ name: 'cases-and-counters.sentence.v1', message: SentenceSentEvent, key: ofCustomer })

/** Comments, and sentences that were not sent. */
export const removedObjectTopic = defineTopic({
  name: 'cases-and-counters.removed-object.v1',
  message: RemovedObjectsEvent,
  key: ofCustomer,
})

/** Files and what they are attached to. */
export const fileTopic = defineTopic({ name: 'files.file.v1', message: FileEvent, key: ofCustomer })

/** The published versions of company cards. */
export const cardTopic = defineTopic({ name: 'company-card.card.v1', message: CardEvent, key: ofCustomer })

export const folderCountTopic = defineTopic({ name: 'mail.folder-count.v1', message: FolderCountEvent, key: ofCustomer })

/** The mailboxes that were stopped. */
export const mailboxTopic = defineTopic({ name: 'mail.mailbox.v1', message: MailboxStoppedEvent, key: ofCustomer })

/** The messages that could not be sent. */
export const sentMessageTopic = defineTopic({ name: 'mail.sent-message.v1', message: MessageFailedEvent, key: ofCustomer })

/** Messages that look different to somebody. */
export const messageTopic = defineTopic({ name: 'mail.message.v1', message: MessagesChangedEvent, key: ofCustomer })

/** The answers to polls, each once. */
export const answerTopic = defineTopic({ name: 'polls-and-widgets.answer.v1', message: AnswerEvent, key: ofCustomer })

/** The integrations of offices with the accounting platform. */
export const integrationTopic = defineTopic({ name: 'partner.integration.v1', message: IntegrationEvent, key: ofCustomer })

/** The webhooks that were switched off. */
export const webhookTopic = defineTopic({ name: 'partner.webhook.v1', message: WebhookDisabledEvent, key: ofCustomer })

/** Those whose events have the id of an office as their key. */
export const officeTopics: readonly Pick<Topic<never>, 'name'>[] = [
  ...[customerTopic, userTopic, linkTopic, groupTopic, rightTopic],
  ...[auditTopic, issueTopic, contactTopic, sentenceTopic, removedObjectTopic, fileTopic, cardTopic, folderCountTopic, answerTopic],
  ...[integrationTopic, webhookTopic, mailboxTopic, sentMessageTopic, messageTopic],
]

/** Every topic that a service publishes or subscribes to. */
export const topics: readonly Pick<Topic<never>, 'name'>[] = [...officeTopics, clientTopic, sessionTopic]
