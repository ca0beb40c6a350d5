import type { Id } from '@caseway/kit/caller'
import { outbox } from '@caseway/kit/events'
import { sentMessageTopic } from '@caseway/protos/topics'
import type { PublishSent } from '../changed-messages/changed-messages.js'
import type { Tx } from '../database.js'
import { states } from '../sent-messages/sent-message.js'

/** What a change of a message tells its author. */
export interface Told {
  readonly id: Id
  readonly userId: Id
  readonly version: number
  readonly status: number
}

export const told = { id: true, userId: true, version: true, status: true } as const

/** Whoever has written messages is told of those that nobody tries any more. */
export async function tellOfFailed(tx: Tx, customerId: Id, messages: readonly Told[]): Promise<void> {
  for (const { id, userId, version, status } of messages)
    if (status === states.failed) await outbox(tx, sentMessageTopic, { id, customerId, userId, revision: BigInt(version) })
}

/** Whoever has written messages is shown what became of them, and told of those that nobody tries any more. */
export const tellAuthors = (publishSent: PublishSent<Tx>) => async (tx: Tx, customerId: Id, messages: readonly Told[]) => {
  await publishSent(tx, customerId, messages)
  await tellOfFailed(tx, customerId, messages)
}
