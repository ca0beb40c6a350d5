import { randomUUID } from 'node:crypto'
import type { DirectTransport, Topic } from '@caseway/kit/events'

/** Publishes events as the relay does. Resolves when every consumer has handled them. */
export async function publishEvents<T>(transport: DirectTransport, topic: Topic<T>, events: readonly T[]): Promise<void> {
  const records = events.map((event) => {
    const id = randomUUID()
    const payload = topic.message.encode(event).finish()
    return { topic: topic.name, key: topic.key(event), id, payload, headers: { ce_id: id }, time: new Date() }
  })
  await Promise.all((await transport.publish(records)).map(({ handled }) => handled))
}
