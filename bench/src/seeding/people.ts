import type { OwnedDatabase } from '../platform/databases.js'
import { largeOffice, publishingOffices, usersPerOffice } from './offices.js'

const [first, last] = [publishingOffices[0], publishingOffices.at(-1)]
const offices = `(SELECT generate_series(${first}, ${last}) UNION ALL SELECT ${largeOffice}) AS known (office)`

/** Adds offices and people to the database of auth, for the changes that auth publishes, and for the rights of the people of the large office. */
export async function seedPeople(database: OwnedDatabase): Promise<void> {
  await database.run(`
    INSERT INTO customers (id, name, time_zone) SELECT office, 'Office ' || office, 'Europe/Warsaw' FROM ${offices};
    INSERT INTO user_roles (id, customer_id, name, base_role, built_in) SELECT office, office, 'Expert', 2, true FROM ${offices};
    INSERT INTO users (id, customer_id, email, firstname, lastname, user_role_id)
      SELECT office * 100 + number, office, 'user' || number || '@' || office || '.example', 'Jan', 'Kowalski', office
      FROM ${offices}, generate_series(1, ${usersPerOffice}) AS number`)
  await database.rows('VACUUM ANALYZE')
  await database.rows('CHECKPOINT')
}
