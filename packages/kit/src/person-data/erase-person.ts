import { CompiledQuery } from 'kysely'
import { type Database, platform } from '../database/index.js'
import type { Tables } from '../tables/index.js'
import { expressionsOf, type Person } from './person.js'
import { chunk, personStatements } from './person-statements.js'

/** More passes than triggers and people who write meanwhile can need. */
const mostPasses = 100

/**
 * Erases a person in the tables of a service, as these say, in short transactions. What is locked is waited for; what is written meanwhile is
 * found by the next pass. May be repeated.
 * @returns how many rows were changed or deleted
 * @throws Error when a rule finds the same rows again and again
 */
export async function erasePerson(db: Database<unknown>, tables: Tables, person: Person): Promise<number> {
  const { phrases, sure, likely, record, firsts, lasts } = expressionsOf(person)
  const emails = person.emails.map((email) => email.toLowerCase())
  const values = [
    ...[String(person.customerId), String(person.clientId), person.account, person.externalUserId, emails],
    ...[phrases, sure, likely, record, firsts, lasts],
  ]
  const run = async (statement: string): Promise<number> => {
    const query = CompiledQuery.raw(statement, values) as CompiledQuery<{ found: number }>
    const [counted] = await db.write(platform, () => db.query(platform, query))
    return counted?.found ?? 0
  }
  const statements = personStatements(tables)
  let erased = 0
  for (let pass = 0; pass < mostPasses; pass++) {
    const before = erased
    for (const statement of statements) {
      for (let found = chunk; found === chunk; erased += found) found = await run(statement)
    }
    if (erased === before) return erased
  }
  throw new Error('A rule of the tables finds what it has erased.')
}
