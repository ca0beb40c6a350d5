import { requestContext } from '../observability/index.js'
import type { Topic } from './topic.js'

/** The part of Prisma's transaction client that the kit's own tables need. */
export interface RawTransaction {
  $executeRaw(sql: TemplateStringsArray, ...values: unknown[]): PromiseLike<number>
}

/**
 * Emits an event with the change that it tells of: in the transaction of `db.write`, so that there are both or none. There is no
 * other way to emit one. The trace of the running request travels with it.
 */
export async function outbox<T>(
  tx: RawTransaction,
  topic: Topic<T>,
  event: T,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { traceparent } = requestContext.get() ?? {}
  const extra = JSON.stringify({ ...(traceparent !== undefined && { traceparent }), ...headers })
  const payload = topic.message.encode(event).finish()
  await tx.$executeRaw`
    INSERT INTO kit.outbox (topic, key, payload, headers) VALUES (${topic.name}, ${topic.key(event)}, ${payload}, ${extra}::jsonb)`
}
