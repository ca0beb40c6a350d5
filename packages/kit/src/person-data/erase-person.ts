import { CompiledQuery } from 'kysely'
import { type Database, platform, rowPages } from '../database/index.js'
import type { Tables } from '../tables/index.js'
import { expressionsOf, inBothForms, type Person } from './person.js'
import { personStatements } from './person-statements.js'

/** More passes than concurrent writes and triggers can make necessary. */
const maxPasses = 100

interface Found {
  readonly found: number
  /** The key of the last row of the page; null where there was none. */
  readonly last: string[] | null
}

/**
 * Erases a person from the tables of a service, by the rules `personal` and `written` of `tables`, in a short transaction for each page of rows. It waits for
 * locked rows, and repeats its passes until one finds nothing, so that concurrent writes are found as well. Idempotent.
 * @returns how many rows were changed or deleted
 * @throws Error where a rule still finds rows after 100 passes
 */
export async function erasePerson(db: Database<unknown>, tables: Tables, person: Person): Promise<number> {
  const written = person.emails.flatMap(inBothForms)
  const { phrases, sure, likely, record, firsts, lasts } = expressionsOf({ ...person, emails: written })
  const emails = written.map((email) => email.toLowerCase())
  const values = [
    ...[String(person.customerId), String(person.clientId), person.account, person.externalUserId, emails],
    ...[phrases, sure, likely, record, firsts, lasts],
  ]
  const run = async (statement: string, after: readonly string[]): Promise<Found> => {
    const query = CompiledQuery.raw(statement, [...values, ...after]) as CompiledQuery<Found>
    const [found] = await db.write(platform, () => db.query(platform, query))
    return found ?? { found: 0, last: null }
  }
  const statements = await personStatements(tables, (table) => rowPages(db, table))
  const pass = async (): Promise<number> => {
    let erased = 0
    for (const { first, next } of statements) {
      for (let { found, last } = await run(first, []); last; { found, last } = await run(next, last)) erased += found
    }
    return erased
  }
  let erased = 0
  for (let passes = 0; passes < maxPasses; passes++) {
    const found = await pass()
    if (found === 0) return erased
    erased += found
  }
  throw new Error('A rule of the tables still finds what it has erased.')
}
