import type { Client, Id } from '@caseway/kit/caller'
import { office, platform } from '@caseway/kit/database'
import { notFound, requireVersion } from '@caseway/kit/errors'
import { outbox } from '@caseway/kit/events'
import { enqueueErasure } from '@caseway/kit/office-data'
import { customerTopic } from '@caseway/protos/topics'
import type { Db } from '../database.js'
import type { Customer } from '../generated/client.js'
import type { CustomerChanges } from './customer.resource.js'
import { customerEvent } from './customer-event.js'

/** The fields of a new office. */
export interface NewCustomer {
  readonly name: string
  /** IANA name. */
  readonly timeZone: string
  readonly taxNumber?: string | null
  readonly phone?: string | null
  readonly email?: string | null
  readonly url?: string | null
  readonly street?: string | null
  readonly zip?: string | null
  readonly city?: string | null
  /** From 1 to 16. */
  readonly voivodeship?: number | null
}

/** The fields of an office, emptied. */
const emptied = {
  name: '',
  ...{ taxNumber: null, phone: null, email: null, url: null, street: null, zip: null, city: null, voivodeship: null },
}

export const customerRepository = (db: Db) => ({
  find: (id: Id) => db.read(office(id)).customer.findFirst({ where: { id, deleted: false } }),

  /** The state of an office, also of a deleted one. */
  stateOf: (id: Id) => db.read(office(id)).customer.findFirst({ where: { id }, select: { name: true, deletesAt: true, deleted: true } }),

  /** The offices of `ids`, for a client, whose own scope contains no office. */
  some: (_caller: Client, ids: readonly Id[]) => db.read(platform).customer.findMany({ where: { id: { in: [...ids] } } }),

  /** Changes an office; `then` runs in the same transaction, with the office as it was. @throws AppError `not-found`, `stale` */
  change: (id: Id, changes: CustomerChanges, expected: number | undefined, then: (before: Customer) => Promise<void>): Promise<void> =>
    db.write(office(id), async (tx) => {
      await tx.$queryRaw`SELECT FROM customers WHERE id = ${id} FOR UPDATE`
      const row = await tx.customer.findFirst({ where: { id, deleted: false } })
      if (!row) throw notFound()
      requireVersion(row, expected)
      const changed = await tx.customer.update({ where: { id }, data: changes })
      if (changed.version !== row.version) await outbox(tx, customerTopic, customerEvent(changed))
      await then(row)
    }),

  /** Creates an office; `then`, which adds its first people, runs in the same transaction. */
  create: <T>(customer: NewCustomer, then: (customerId: Id) => Promise<T>): Promise<T> =>
    db.write(platform, async (tx) => {
      const created = await tx.customer.create({ data: customer })
      await outbox(tx, customerTopic, customerEvent(created))
      return then(created.id)
    }),

  /** Schedules the deletion of an office; null cancels it. `then` runs in the same transaction. @throws AppError `not-found` */
  scheduleDeletion: (id: Id, deletesAt: Date | null, then: () => Promise<void>): Promise<void> =>
    db.write(platform, async (tx) => {
      const [scheduled] = await tx.customer.updateManyAndReturn({ where: { id, deleted: false }, data: { deletesAt } })
      if (!scheduled) throw notFound()
      await outbox(tx, customerTopic, customerEvent(scheduled))
      await then()
    }),

  /** The ids of the offices whose deletion is due. */
  async dueForDeletion(): Promise<Id[]> {
    const where = { deleted: false, deletesAt: { lte: new Date() } }
    return (await db.read(platform).customer.findMany({ where, select: { id: true } })).map(({ id }) => id)
  },

  /**
   * Deletes an office whose deletion is due; its rows follow in the background, here and in every other service. `then` runs in the same transaction. The
   * row remains without its data, so that copies which are rebuilt learn of the deletion.
   */
  remove: (id: Id, then: () => Promise<void>): Promise<void> =>
    db.write(platform, async (tx) => {
      const where = { id, deleted: false, deletesAt: { lte: new Date() } }
      const [deleted] = await tx.customer.updateManyAndReturn({ where, data: { ...emptied, deleted: true } })
      if (!deleted) return
      await outbox(tx, customerTopic, customerEvent(deleted))
      await enqueueErasure(tx, id)
      await then()
    }),
})

export type CustomerRepository = ReturnType<typeof customerRepository>
