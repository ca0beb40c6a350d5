import { type Consumer, consumer } from '@caseway/kit/events'
import { rightTopic } from '@caseway/protos/topics'
import type { PublishLater } from './changed-rights.job.js'

/** Publishes the counters of people whose rights have changed, because the counts of mail folders depend on them. */
export const changedRights = (publishLater: PublishLater): Consumer =>
  consumer(rightTopic, ({ customerId, userIds }) => publishLater(customerId, userIds))
