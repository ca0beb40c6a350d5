import { type Database, forgetRevisions, newestStatement, platform } from '@caseway/kit/database'
import { batchConsumer, type Copy } from '@caseway/kit/events'
import type { Topic } from '@caseway/protos/topic'

interface CopiedTable<Event> {
  /** Also the name of the copy. */
  readonly table: string
  readonly topic: Topic<Event>
  /** The columns of a row, from an event or a record of the snapshot. */
  rowOf(event: Event): { readonly revision: bigint; readonly [column: string]: unknown }
  pages(): AsyncIterable<Event[]>
  /** Called after the rows of `events` were stored, in the same transaction. */
  onStored?(tx: object, events: readonly Event[]): Promise<void>
}

/** A copy of the records of a topic of auth as rows of a table. Of each record the highest revision is kept. */
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
