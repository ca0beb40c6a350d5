import pg from 'pg'
import type { Isolation } from '../isolation.js'

/** What the kit and Prisma's adapter send. */
export type Statement = pg.QueryConfig<unknown[]>

/** A statement without values that begins or ends a transaction. It is prepared under its own text. */
const named = (text: string): Statement => ({ name: text, text })

export const begins: Readonly<Record<Isolation, Statement>> = {
  ReadCommitted: named('BEGIN'),
  RepeatableRead: named('BEGIN ISOLATION LEVEL REPEATABLE READ'),
  Serializable: named('BEGIN ISOLATION LEVEL SERIALIZABLE'),
}
export const commit = named('COMMIT')

/** The form in which pg sends a value. It is no part of pg's types. */
const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): unknown } }).utils

/**
 * The statement with its values converted, sent by the extended protocol. pg itself converts them only after Parse was sent: an error there would leave a
 * prepared name that the server does not know. By the simple protocol, which pg uses without values, one text could be several statements.
 */
export const sendable = (statement: Statement): Statement =>
  ({ ...statement, values: statement.values?.map((value) => prepareValue(value)), queryMode: 'extended' }) as Statement
