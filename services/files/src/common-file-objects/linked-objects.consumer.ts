import type { Id } from '@caseway/kit/caller'
import { batchConsumer, type Consumer, type Copy, consumer } from '@caseway/kit/events'
import { issueTopic, messageTopic, removedObjectTopic } from '@caseway/protos/topics'
import type { ObjectsOfName } from './common-file-object.js'
import { isObjectName } from './common-file-object.js'

export interface OfOffice {
  readonly customerId: Id
  readonly objects: ObjectsOfName
}

interface Links {
  /** Yields all objects that have attached files, in pages. */
  pages(): AsyncIterable<OfOffice[]>
  /** Forgets the revisions, so that the next answers of the owners are stored. */
  forget(): Promise<unknown>
  refresh(customerId: Id, objects: ObjectsOfName): Promise<void>
  followCase(customerId: Id, issueId: Id): Promise<void>
  removeOf(customerId: Id, objects: ObjectsOfName): Promise<void>
  /** Refreshes those of the objects that have attached files. */
  follow(customerId: Id, objects: ObjectsOfName): Promise<void>
}

/**
 * A copy of who sees the objects of links. It is refreshed by events of their cases. After events were lost, the owners are asked about all objects; the
 * previous answers stay in use until then.
 */
export const linkedObjects = ({ pages, forget, refresh, followCase }: Omit<Links, 'removeOf' | 'follow'>): Copy<OfOffice[]> => ({
  name: 'common_file_objects',
  consumer: batchConsumer(issueTopic, async (events) => {
    // A case that was just opened has no attachments yet, and attaching asks the owner itself.
    const changed = events.filter(({ change }) => change?.$case !== 'opened')
    for (const { customerId, issueId } of new Map(changed.map((event) => [event.issueId, event])).values())
      await followCase(customerId, issueId)
  }),
  pages,
  async store(page) {
    for (const { customerId, objects } of page) await refresh(customerId, objects)
  },
  forget,
})

/** Deletes the links of removed objects. */
export const removedObjects = ({ removeOf }: Pick<Links, 'removeOf'>): Consumer =>
  consumer(removedObjectTopic, async ({ customerId, objectName, objectIds }) => {
    if (isObjectName(objectName)) await removeOf(customerId, { objectName, objectIds })
  })

/** Refreshes messages, because the event does not tell whether they were changed or deleted. */
export const changedMessages = ({ follow }: Pick<Links, 'follow'>): Consumer =>
  batchConsumer(messageTopic, async (events) => {
    for (const [customerId, own] of Map.groupBy(events, (event) => event.customerId)) {
      await follow(customerId, { objectName: 'MailReceivedMysqlMessage', objectIds: own.flatMap(({ receivedIds }) => receivedIds) })
      await follow(customerId, { objectName: 'MailSentMysqlMessage', objectIds: own.flatMap(({ sentIds }) => sentIds) })
    }
  })
