import type { Client, Id } from '@caseway/kit/caller'
import { office, platform } from '@caseway/kit/database'
import { notFound, stale } from '@caseway/kit/errors'
import { outbox } from '@caseway/kit/events'
import { customerTopic } from '@caseway/protos/topics'
import type { Db } from '../database.js'
import type { CustomerChanges } from './customer.resource.js'
import { customerEvent } from './customer-event.js'

/** An office with what it says about itself. */
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

export const customerRepository = (db: Db) => ({
  find: (id: Id) => db.read(office(id)).customer.findFirst({ where: { id } }),

  /** Those of `ids`, for a caller who belongs to none of them. */
  some: (_caller: Client, ids: readonly Id[]) => db.read(platform).customer.findMany({ where: { id: { in: [...ids] } } }),

  /**
   * `then` runs in the same transaction.
   * @throws AppError `not-found`, `stale`
   */
  change: (id: Id, changes: CustomerChanges, expected: number | undefined, then: () => Promise<void>): Promise<void> =>
    db.write(office(id), async (tx) => {
      const [row] = await tx.$queryRaw<{ version: number }[]>`SELECT version FROM customers WHERE id = ${id} FOR UPDATE`
      if (!row) throw notFound()
      if (expected !== undefined && row.version !== expected) throw stale()
      await outbox(tx, customerTopic, customerEvent(await tx.customer.update({ where: { id }, data: changes })))
      await then()
    }),

  /** `then` runs in the same transaction: an office is never without its first people. */
  create: <T>(customer: NewCustomer, then: (customerId: Id) => Promise<T>): Promise<T> =>
    db.write(platform, async (tx) => {
      const created = await tx.customer.create({ data: customer })
      await outbox(tx, customerTopic, customerEvent(created))
      return then(created.id)
    }),
})

export type CustomerRepository = ReturnType<typeof customerRepository>
