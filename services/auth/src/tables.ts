import {
  clientRows,
  currentOffice,
  officeRows,
  ofOffice,
  outlivesOffices,
  platformRows,
  readable,
  secret,
  type Tables,
  unprotected,
  versioned,
} from '@caseway/kit/tables'

const ofLinkedClients = `EXISTS (
    SELECT FROM "client_links" link
    WHERE link."user_client_id" = "clients"."id" AND link."state" <> 'ended' AND link."customer_id" = ${currentOffice})`

const employees = 'SELECT "id" FROM "users" WHERE "customer_id" = $1'

/** A client's account goes with the last office that they were ever linked with. */
const onlyItsClients = `
  SELECT "user_client_id" FROM "client_links" WHERE "customer_id" = $1
  EXCEPT SELECT "user_client_id" FROM "client_links" WHERE "customer_id" <> $1`

const ofItsPeople = `
  "kind" = 'employee' AND "user_id" IN (${employees}) OR "kind" = 'client' AND "user_id" IN (${onlyItsClients})`

/** The limiter has connections of its own, which know no office. */
const limits = [unprotected('It holds hashes of names, addresses or ids of clients, and numbers.'), outlivesOffices('Its rows expire.')]

/** Who reads and writes the rows of each table: row-level security, and what else PostgreSQL itself keeps. */
export const tables: Tables = {
  // What stays is an id and a version, for copies that are filled anew.
  customers: [officeRows('id'), versioned(), outlivesOffices('The row says that the office is deleted.')],
  user_roles: [officeRows(), versioned()],
  user_role_permissions: [officeRows()],
  users: [officeRows(), versioned({ except: 'last_login' }), secret('password_hash')],
  user_permissions: [officeRows()],
  groups: [officeRows(), versioned()],
  user_groups: [officeRows(), versioned()],
  audit_events: [officeRows()],

  client_links: [officeRows(), clientRows('user_client_id'), versioned()],
  // An account belongs to no office: the platform writes it, a linked office and the client themselves read it.
  clients: [
    platformRows(),
    clientRows('id'),
    readable('linked', ofLinkedClients),
    versioned({ except: 'last_login' }),
    secret('password_hash'),
    ofOffice(`"id" IN (${onlyItsClients})`),
  ],
  client_data_changes: [
    unprotected('It holds ids and hashes of addresses, which a trigger compares whoever writes an account.'),
    ofOffice(`"user_id" IN (${employees}) OR "user_client_id" IN (${onlyItsClients})`),
  ],

  // Read before anybody knows who is asking.
  applications: [platformRows(), outlivesOffices('They are programs of the installation.')],
  sessions: [platformRows(), ofOffice(ofItsPeople)],
  refresh_tokens: [platformRows(), ofOffice(`"session_id" IN (SELECT "id" FROM "sessions" WHERE ${ofItsPeople})`)],
  second_factors: [platformRows(), ofOffice(ofItsPeople)],
  recovery_codes: [platformRows(), ofOffice(`"second_factor_id" IN (SELECT "id" FROM "second_factors" WHERE ${ofItsPeople})`)],
  signing_keys: [platformRows(), outlivesOffices('They are keys of the installation.')],
  mailed_links: [platformRows(), ofOffice(ofItsPeople)],
  known_addresses: [platformRows(), outlivesOffices('It holds keyed hashes, which expire.')],

  // In which the build before counts during a rollout. A later migration drops them.
  login_failures: limits,
  office_requests: limits,
  token_requests: limits,
}
