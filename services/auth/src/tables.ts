import { clientRows, currentOffice, officeRows, platformRows, readable, type Tables, unprotected, versioned } from '@caseway/kit/tables'

const ofLinkedClients = `EXISTS (
    SELECT FROM "client_links" link
    WHERE link."user_client_id" = "clients"."id" AND link."state" <> 'ended' AND link."customer_id" = ${currentOffice})`

/** The limiter has connections of its own, which know no office. */
const limits = unprotected('It holds hashes of names, addresses or ids of clients, and numbers.')

/** Who reads and writes the rows of each table: row-level security, and what else PostgreSQL itself keeps. */
export const tables: Tables = {
  customers: [officeRows('id'), versioned()],
  user_roles: [officeRows(), versioned()],
  user_role_permissions: [officeRows()],
  users: [officeRows(), versioned({ except: 'last_login' })],
  user_permissions: [officeRows()],
  groups: [officeRows(), versioned()],
  user_groups: [officeRows(), versioned()],
  audit_events: [officeRows()],

  // An account belongs to no office: the platform writes it, a linked office and the client themselves read it.
  clients: [platformRows(), clientRows('id'), readable('linked', ofLinkedClients), versioned({ except: 'last_login' })],
  client_data_changes: [unprotected('It holds ids and hashes of addresses, which a trigger compares whoever writes an account.')],
  client_links: [officeRows(), clientRows('user_client_id'), versioned()],

  // Read before anybody knows who is asking.
  applications: [platformRows()],
  sessions: [platformRows()],
  refresh_tokens: [platformRows()],
  second_factors: [platformRows()],
  recovery_codes: [platformRows()],
  signing_keys: [platformRows()],
  mailed_links: [platformRows()],
  known_addresses: [platformRows()],

  // In which the build before counts during a rollout. A later migration drops them.
  login_failures: [limits],
  office_requests: [limits],
  token_requests: [limits],
}
