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
  /** Columns of the table that the service keeps beside the time zone, by their names. */
  also?(event: CustomerEvent): object
  /** Called when an office is deleted, before any of its rows is, in the transaction that enqueues their deletion. May be called again. */
  onDeleted?(tx: object, customerId: Id): Promise<void>
}

/** The offices that there are, in the table `customers`. */
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
    /** An event may have come that the office is deleted; where it has not, the row is still there. */
    async store(events) {
      await copied.store(events.filter(({ deleted }) => !deleted))
      for (const event of events) if (event.deleted && (await exists(event.id))) await erase(event)
    },
  }

  return {
    /** When an office is deleted, everything that the service keeps of it is. */
    copy,

    /** Whether an event or the snapshot of auth has named this office. */
    exists,

    /** The IANA name of its time zone; the default while the office is not known. */
    timeZoneOf: async (customerId: Id): Promise<string> => (await find(customerId))?.timeZone ?? defaultTimeZone,
  }
}

export type Offices = ReturnType<typeof copiedOffices>
