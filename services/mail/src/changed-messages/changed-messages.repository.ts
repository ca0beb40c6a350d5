import { outboxAll } from '@caseway/kit/events'
import { messageTopic } from '@caseway/protos/topics'
import type { Tx } from '../database.js'
import { type PublishReceived, type PublishSent, receivedChanges, sentChanges } from './changed-messages.js'

export const publishReceived: PublishReceived<Tx> = (tx, customerId, messages) =>
  outboxAll(tx, messageTopic, receivedChanges(customerId, messages))

export const publishSent: PublishSent<Tx> = (tx, customerId, messages) => outboxAll(tx, messageTopic, sentChanges(customerId, messages))
