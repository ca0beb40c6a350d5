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
 * Kysely as a builder only: `statements<Tables>().selectFrom(…).compile()` makes what `db.query` takes. It has no connection,
 * so `execute` answers nothing.
 */
export const statements = <Tables>() => builder as unknown as Kysely<Tables>

// Each prepared statement holds memory in every connection of the server: filters and lists of values may not make ever more.
const maxNames = 500
const maxLength = 3000
const names = new Map<string, string>()

/**
 * Lists of two values or rows and more, as Prisma writes them: of these there are as many texts as lists have lengths, and they would use
 * up the names. Statements of our own take one array instead (`= ANY ($1)`, `unnest`).
 */
const lists = /\bin \(\$\d+(?:, ?\$\d+)+\)|\bvalues \([^()]*\), ?\(/i

/** The name under which the server keeps the plan of a statement, or '' when it should keep none. */
export function statementName(sql: string): string {
  const known = names.get(sql)
  if (known !== undefined) return known
  if (names.size >= maxNames || sql.length > maxLength || lists.test(sql)) return ''
  const name = createHash('sha256').update(sql).digest('base64url')
  names.set(sql, name)
  return name
}

/** A statement as it is sent. */
export const toStatement = ({ sql, parameters }: CompiledQuery): Statement => ({
  name: statementName(sql),
  text: sql,
  values: [...parameters],
})
