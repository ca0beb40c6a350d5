import { randomUUID } from 'node:crypto'
import type { Consumer, DirectTransport, EventRecord, EventRecords, Topic } from '@caseway/kit/events'

interface PublishOptions {
  /** Of each event: several with the same are one event that comes several times. By default each has its own. */
  readonly id?: string | undefined
  readonly time?: Date | undefined
}

/** Publishes events as the relay does. Resolves when every consumer has handled them. */
export async function publishEvents<T>(
  transport: DirectTransport,
  topic: Topic<T>,
  events: readonly T[],
  { id, time }: PublishOptions = {},
): Promise<void> {
  const records = events.map((event) => recordOf(topic, event, { id, time }))
  await Promise.all((await transport.publish(records)).map(({ handled }) => handled))
}

/**
 * Brings events to a consumer together, as a transport does it when they have come in the meantime.
 * @throws Error when it takes one at a time
 */
export async function handleTogether<T>({ handleBatch }: Consumer, topic: Topic<T>, events: readonly [T, ...T[]]): Promise<void> {
  if (!handleBatch) throw new Error('This consumer takes one event at a time.')
  await handleBatch(recordsOf(topic, events))
}

/** Events as a transport has them, each with an id of its own. */
export function recordsOf<T>(topic: Topic<T>, [first, ...others]: readonly [T, ...T[]]): EventRecords {
  return [recordOf(topic, first), ...others.map((event) => recordOf(topic, event))]
}

function recordOf<T>(topic: Topic<T>, event: T, { id = randomUUID(), time = new Date() }: PublishOptions = {}): EventRecord {
  const payload = topic.message.encode(event).finish()
  return { topic: topic.name, key: topic.key(event), id, payload, headers: { ce_id: id }, time }
}
