import { clientRows, officeRows, type Tables, versioned } from '@caseway/kit/tables'

/** Who reads and writes the rows of each table: row-level security, and what else PostgreSQL itself keeps. */
export const tables: Tables = {
  common_files: [officeRows(), clientRows('user_client_id', { atOpenOffices: true, mayLock: true }), versioned()],
  storage_use: [officeRows()],

  // Copies of what auth owns.
  customers: [officeRows('id')],
  client_links: [officeRows(), clientRows('client_id')],
}
