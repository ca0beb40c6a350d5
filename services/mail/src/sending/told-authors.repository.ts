import type { Id } from '@caseway/kit/caller'
import { outbox } from '@caseway/kit/events'
import { sentMessageTopic } from '@caseway/protos/topics'
import type { PublishSent } from '../changed-messages/changed-messages.js'
import type { Tx } from '../database.js'
import { states } from '../sent-messages/sent-message.js'

/** The fields of a changed message that its author is told. */
export interface Told {
  readonly id: Id
  readonly userId: Id
  readonly version: number
  readonly status: number
}

export const told = { id: true, userId: true, version: true, status: true } as const

/** Publishes failed messages, so that their authors are notified. */
export async function tellOfFailed(tx: Tx, customerId: Id, messages: readonly Told[]): Promise<void> {
  for (const { id, userId, version, status } of messages)
    if (status === states.failed) await outbox(tx, sentMessageTopic, { id, customerId, userId, revision: BigInt(version) })
}

/** Publishes the states of messages to the live streams of their authors, and failed messages for a notification. */
export const tellAuthors = (publishSent: PublishSent<Tx>) => async (tx: Tx, customerId: Id, messages: readonly Told[]) => {
  await publishSent(tx, customerId, messages)
  await tellOfFailed(tx, customerId, messages)
}
