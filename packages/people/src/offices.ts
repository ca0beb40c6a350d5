import type { Id } from '@caseway/kit/caller'
import { type Database, office, type ParamOf, platform, prepared, sql } from '@caseway/kit/database'
import { batchConsumer, type Copy } from '@caseway/kit/events'
import { enqueueErasure } from '@caseway/kit/office-data'
import type { CustomerEvent } from '@caseway/protos/auth/v1/events'
import { customerTopic } from '@caseway/protos/topics'
import type { AuthDirectory } from './auth-directory.js'
import { copyInTable } from './copied-table.js'

const timeZone = prepared(
  (param: ParamOf<Id>) => sql<{ timeZone: string }>`SELECT time_zone AS "timeZone" FROM customers WHERE id = ${param((id) => id)}`,
)

interface Options {
  /** Additional columns of the table, by name. */
  also?(event: CustomerEvent): object
  /** Called when an office is deleted, before its rows are, in the transaction that enqueues their deletion. May be called repeatedly. */
  onDeleted?(tx: object, customerId: Id): Promise<void>
}

/** The existing offices, in the table `customers`. */
export function copiedOffices(db: Database<unknown>, auth: AuthDirectory, defaultTimeZone: string, { also, onDeleted }: Options = {}) {
  const rowOf = (event: CustomerEvent) => ({ id: event.id, time_zone: event.timeZone, ...also?.(event), revision: event.revision })
  const find = async (customerId: Id) => (await db.query(office(customerId), timeZone(customerId)))[0]

  const exists = async (customerId: Id): Promise<boolean> => (await find(customerId)) !== undefined

  const copied = copyInTable(db, { table: 'customers', topic: customerTopic, rowOf, pages: auth.customers })
  const erase = ({ id }: CustomerEvent) =>
    db.write(platform, async (tx) => {
      await onDeleted?.(tx, id)
      await enqueueErasure(tx, id)
    })
  const copy: Copy<CustomerEvent[]> = {
    ...copied,
    consumer: batchConsumer(customerTopic, async (events) => {
      await copied.store(events.filter(({ deleted }) => !deleted))
      for (const event of events) if (event.deleted) await erase(event)
    }),
    /** Deleted offices are not stored. Where the event of the deletion was missed, the row still exists, and the deletion begins now. */
    async store(events) {
      await copied.store(events.filter(({ deleted }) => !deleted))
      for (const event of events) if (event.deleted && (await exists(event.id))) await erase(event)
    },
  }

  return {
    /** When an office is deleted, all of its rows in the service are deleted. */
    copy,

    /** Whether an event or the snapshot of auth has contained this office. */
    exists,

    /** The IANA name of the office's time zone; the default while the office is unknown. */
    timeZoneOf: async (customerId: Id): Promise<string> => (await find(customerId))?.timeZone ?? defaultTimeZone,
  }
}

export type Offices = ReturnType<typeof copiedOffices>
