import { createHash } from 'node:crypto'
import { type CompiledQuery, DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type { Statement } from '../connections/statement.js'

const builder = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

/**
 * Kysely as a query builder only: `statements<Tables>().selectFrom(…).compile()` returns a statement for `db.query`. It has no connection, so `execute`
 * returns no rows.
 */
export const statements = <Tables>() => builder as unknown as Kysely<Tables>

// Each prepared statement occupies memory of the server in every connection, so that their number is limited.
const maxNames = 500
const maxLength = 3000
const names = new Map<string, string>()

/**
 * Lists of two or more values or rows, as Prisma writes them: each length of the list is another statement, and they would use up the names. Our own
 * statements take one array instead (`= ANY ($1)`, `unnest`).
 */
const lists = /\bin \(\$\d+(?:, ?\$\d+)+\)|\bvalues \([^()]*\), ?\(/i

/** The name under which the statement is prepared, or '' when it should not be. */
export function statementName(sql: string): string {
  const known = names.get(sql)
  if (known !== undefined) return known
  if (names.size >= maxNames || sql.length > maxLength || lists.test(sql)) return ''
  const name = createHash('sha256').update(sql).digest('base64url')
  names.set(sql, name)
  return name
}

/** Converts a statement of Kysely to one of pg. */
export const toStatement = ({ sql, parameters }: CompiledQuery): Statement => ({
  name: statementName(sql),
  text: sql,
  values: [...parameters],
})
