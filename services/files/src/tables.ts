import { clientRows, currentClient, officeRows, readable, type Tables, versioned } from '@caseway/kit/tables'

/** The files that are attached to what the client of the transaction sees. The rows of `common_file_objects` are limited as well. */
const attached = `"id" IN (SELECT "common_file_id" FROM "common_file_objects" WHERE "user_client_id" = ${currentClient})
  AND "customer_id" = ANY (((SELECT "client_offices"())::bigint[]))`

/** Who reads and writes the rows of each table: row-level security, and what else PostgreSQL itself keeps. */
export const tables: Tables = {
  common_files: [
    officeRows(),
    clientRows('user_client_id', { atOpenOffices: true, mayLock: true }),
    readable('attached', attached),
    versioned(),
  ],
  common_file_objects: [officeRows(), clientRows('user_client_id', { atOpenOffices: true }), versioned()],
  storage_use: [officeRows()],

  // Copies of what auth owns.
  customers: [officeRows('id')],
  client_links: [officeRows(), clientRows('client_id')],
}
