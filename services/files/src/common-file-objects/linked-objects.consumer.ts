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
  /** All objects that have files, page by page. */
  pages(): AsyncIterable<OfOffice[]>
  /** Lets the next that the owners say be believed, whatever its revision. */
  forget(): Promise<unknown>
  refresh(customerId: Id, objects: ObjectsOfName): Promise<void>
  followCase(customerId: Id, issueId: Id): Promise<void>
  removeOf(customerId: Id, objects: ObjectsOfName): Promise<void>
  /** Those of the objects that have files. */
  follow(customerId: Id, objects: ObjectsOfName): Promise<void>
}

/**
 * Who sees the objects of the links: changed with an event of their case. After events were lost, the owners are asked about all of them; what they
 * said before stays until then.
 */
export const linkedObjects = ({ pages, forget, refresh, followCase }: Omit<Links, 'removeOf' | 'follow'>): Copy<OfOffice[]> => ({
  name: 'common_file_objects',
  consumer: batchConsumer(issueTopic, async (events) => {
    // A case that was just opened has no files yet: a link asks its owner itself.
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

/** An object that is gone takes its links along. */
export const removedObjects = ({ removeOf }: Pick<Links, 'removeOf'>): Consumer =>
  consumer(removedObjectTopic, async ({ customerId, objectName, objectIds }) => {
    if (isObjectName(objectName)) await removeOf(customerId, { objectName, objectIds })
  })

/** The event says that messages were changed or deleted, not which of the two: their owner is asked. */
export const changedMessages = ({ follow }: Pick<Links, 'follow'>): Consumer =>
  consumer(messageTopic, async ({ customerId, receivedIds, sentIds }) => {
    await follow(customerId, { objectName: 'MailReceivedMysqlMessage', objectIds: receivedIds })
    await follow(customerId, { objectName: 'MailSentMysqlMessage', objectIds: sentIds })
  })
