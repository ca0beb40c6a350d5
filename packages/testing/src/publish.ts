import { randomUUID } from 'node:crypto'
import type { DirectTransport, Topic } from '@caseway/kit/events'

interface PublishOptions {
  /** Of each event: several with the same are one event that comes several times. By default each has its own. */
  readonly id?: string
  readonly time?: Date
}

/** Publishes events as the relay does. Resolves when every consumer has handled them. */
export async function publishEvents<T>(
  transport: DirectTransport,
  topic: Topic<T>,
  events: readonly T[],
  { id: given, time = new Date() }: PublishOptions = {},
): Promise<void> {
  const records = events.map((event) => {
    const id = given ?? randomUUID()
    const payload = topic.message.encode(event).finish()
    return { topic: topic.name, key: topic.key(event), id, payload, headers: { ce_id: id }, time }
  })
  await Promise.all((await transport.publish(records)).map(({ handled }) => handled))
}
