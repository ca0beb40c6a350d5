import { officeRows, outlivesOffices, platformRows, secret, type Tables, versioned } from '@caseway/kit/tables'

/** Who reads and writes the rows of each table: row-level security, and what else PostgreSQL itself keeps. */
export const tables: Tables = {
  webhooks: [officeRows(), versioned(), secret('secret', 'previous_secret')],
  webhook_deliveries: [officeRows(), versioned()],

  // Copy of what auth owns.
  customers: [officeRows('id')],
  integrations: [officeRows(), versioned()],
  platform_tokens: [officeRows(), secret('access_token', 'refresh_token')],
  auth_codes: [officeRows(), secret('hash')],
  authorizations: [officeRows(), secret('hash', 'verifier', 'code_hash')],

  // The technical account belongs to no office, and a client to several.
  client_data_changes: [platformRows(), outlivesOffices('It holds ids of clients, for as long as its retention says.')],
}
