import type { Databases } from '../platform/databases.js'
import { seedCases } from './cases.js'
import { seedPeople } from './people.js'

/** Fills the databases of a new platform. */
export async function seed({ auth, cases }: Databases): Promise<void> {
  await Promise.all([seedPeople(auth), seedCases(cases)])
}
