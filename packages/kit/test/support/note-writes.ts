import { office } from '@caseway/kit/database'
import { randomId } from '@caseway/testing'
import type { Db, Tx } from './notes.js'

/** Writes a note by one statement of Prisma. */
export const add = (tx: Tx, customerId: bigint, title: string) => tx.note.create({ data: { customerId, title } })

/** Writes a note in a `write` of its own, which is nested where a transaction runs. */
export const create = (db: Db, customerId: bigint, title: string) => db.write(office(customerId), (tx) => add(tx, customerId, title))

export const addRaw = (tx: Tx, customerId: bigint, title: string) =>
  tx.$executeRaw`INSERT INTO notes (customer_id, title) VALUES (${customerId}, ${title})`

/** For these two operations Prisma begins a transaction by itself. */
export const upsert = (tx: Tx, customerId: bigint, title: string) =>
  tx.note.upsert({ where: { id: randomId() }, create: { customerId, title }, update: { rank: 1 } })
export const commented = (tx: Tx, customerId: bigint, title: string) =>
  tx.note.create({ data: { customerId, title, comments: { create: { customerId, body: title } } }, include: { comments: true } })

export const failingStatement = (tx: Tx) => tx.$queryRaw`SELECT 1 / 0`

export const afterTheEnd = /came after the end of the transaction/
export const failedBefore = /had failed before its end/
