import { type Database, forgetRevisions, newestStatement, platform } from '@caseway/kit/database'
import { batchConsumer, type Copy } from '@caseway/kit/events'
import type { Topic } from '@caseway/protos/topic'

interface CopiedTable<Event> {
  /** Names the copy as well. */
  readonly table: string
  readonly topic: Topic<Event>
  /** The columns, from an event or from what the snapshot says in its place. */
  rowOf(event: Event): { readonly revision: bigint; readonly [column: string]: unknown }
  pages(): AsyncIterable<Event[]>
  /** Called in the transaction in which the rows of `events` are stored, after that. */
  onStored?(tx: object, events: readonly Event[]): Promise<void>
}

/** The copy of what auth publishes on a topic, as rows of a table: of each thing the one with the highest revision. */
export function copyInTable<Event>(db: Database<unknown>, { table, topic, rowOf, pages, onStored }: CopiedTable<Event>): Copy<Event[]> {
  const storeRows = async (events: readonly Event[]) => {
    const [first, ...others] = events.map(rowOf)
    if (first) await db.batch(platform, newestStatement(table, [first, ...others]))
  }
  const store = onStored
    ? (events: readonly Event[]) =>
        db.write(platform, async (tx) => {
          await storeRows(events)
          await onStored(tx as object, events)
        })
    : storeRows
  return {
    name: table,
    consumer: batchConsumer(topic, store),
    pages,
    store,
    forget: () => forgetRevisions(db, table),
  }
}
