import type { Id } from '@caseway/kit/caller'
import { outbox } from '@caseway/kit/events'
import { sentMessageTopic } from '@caseway/protos/topics'
import type { PublishSent } from '../changed-messages/changed-messages.js'
import type { Tx } from '../database.js'
import { states } from '../sent-messages/sent-message.js'

/** The fields of a message whose state has changed that its author receives. */
export interface ChangedState {
  readonly id: Id
  readonly userId: Id
  readonly version: number
  readonly status: number
}

export const changedState = { id: true, userId: true, version: true, status: true } as const

/** Publishes failed messages, so that their authors are notified. */
export async function publishFailed(tx: Tx, customerId: Id, messages: readonly ChangedState[]): Promise<void> {
  for (const { id, userId, version, status } of messages)
    if (status === states.failed) await outbox(tx, sentMessageTopic, { id, customerId, userId, revision: BigInt(version) })
}

/** Returns a function that publishes the states of messages to the live streams of their authors, and failed messages for a notification. */
export const changedStatesPublisher =
  (publishSent: PublishSent<Tx>) => async (tx: Tx, customerId: Id, messages: readonly ChangedState[]) => {
    await publishSent(tx, customerId, messages)
    await publishFailed(tx, customerId, messages)
  }
