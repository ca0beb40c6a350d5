import { randomUUID } from 'node:crypto'
import type { Consumer, DirectTransport, EventRecord, EventRecords, Topic } from '@caseway/kit/events'

interface PublishOptions {
  /** The id of each event; equal ids mean repeated deliveries of one event. Default: a new id for each. */
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
 * Delivers events to a consumer as one batch, as a transport does with events that have accumulated.
 * @throws Error when the consumer has no `handleBatch`
 */
export async function handleTogether<T>({ handleBatch }: Consumer, topic: Topic<T>, events: readonly [T, ...T[]]): Promise<void> {
  if (!handleBatch) throw new Error('This consumer takes one event at a time.')
  await handleBatch(recordsOf(topic, events))
}

/** Events as the records of a transport, each with a new id. */
export function recordsOf<T>(topic: Topic<T>, [first, ...others]: readonly [T, ...T[]]): EventRecords {
  return [recordOf(topic, first), ...others.map((event) => recordOf(topic, event))]
}

function recordOf<T>(topic: Topic<T>, event: T, { id = randomUUID(), time = new Date() }: PublishOptions = {}): EventRecord {
  const payload = topic.message.encode(event).finish()
  return { topic: topic.name, key: topic.key(event), id, payload, headers: { ce_id: id }, time }
}
