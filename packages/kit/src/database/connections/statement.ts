import pg from 'pg'
import type { Isolation } from '../isolation.js'
import type { Scope } from '../scope.js'

/** A statement as the kit and Prisma's adapter send it. */
export type Statement = pg.QueryConfig<unknown[]>

/** A statement and the scope under which it runs. */
export interface ScopedStatement {
  readonly scope: Scope
  readonly statement: Statement
}

/** A statement without values that begins or ends a transaction. It is prepared under its own text. */
const named = (text: string): Statement => ({ name: text, text })

export const begins: Readonly<Record<Isolation, Statement>> = {
  ReadCommitted: named('BEGIN'),
  RepeatableRead: named('BEGIN ISOLATION LEVEL REPEATABLE READ'),
  Serializable: named('BEGIN ISOLATION LEVEL SERIALIZABLE'),
}
export const commit = named('COMMIT')

/** Converts a value as pg does before it sends it. The types of pg do not declare it. */
const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): unknown } }).utils

/**
 * The statement with converted values, for the extended protocol. pg itself converts values only after it has sent Parse: an error there would leave a
 * name that pg takes for prepared and the server does not know. The simple protocol, which pg uses without values, would allow several statements in a text.
 * @throws Error when a value cannot be converted
 */
export const sendable = (statement: Statement): Statement =>
  ({ ...statement, values: statement.values?.map((value) => prepareValue(value)), queryMode: 'extended' }) as Statement
