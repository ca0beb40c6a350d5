import type { Id } from '@caseway/kit/caller'
import { type Consumer, consumer } from '@caseway/kit/events'
import { issueTopic, removedObjectTopic } from '@caseway/protos/topics'
import type { ObjectsOfName } from './common-file-object.js'
import { isObjectName } from './common-file-object.js'

interface Links {
  followCase(customerId: Id, issueId: Id): Promise<void>
  removeOf(customerId: Id, objects: ObjectsOfName): Promise<void>
}

/** Who sees an object of a case changes with an event of the case; an object that is gone takes its links along. */
export const linkedObjectConsumers = ({ followCase, removeOf }: Links): Consumer[] => [
  consumer(issueTopic, ({ customerId, issueId }) => followCase(customerId, issueId)),
  consumer(removedObjectTopic, async ({ customerId, objectName, objectIds }) => {
    if (isObjectName(objectName)) await removeOf(customerId, { objectName, objectIds })
  }),
]
