import {
  clientRows,
  currentOffice,
  foreignIds,
  impersonal,
  imported,
  isKnown,
  newId,
  newIdOf,
  officeRows,
  ofOffice,
  outlivesOffices,
  personal,
  personalRows,
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

/** What belongs to an account that is erased. */
const itsOwn = `person.account AND "kind" = 'client' AND "user_id" = person.person_id`

/** Of whom or what an entry of the audit trail speaks. */
const subjects = {
  ...{
    customer: 'auth.customers',
    employee: 'auth.users',
    client: 'auth.clients',
    user_role: 'auth.user_roles',
    link: 'auth.client_links',
  },
  ...{
    issue: 'cases-and-counters.issues',
    issue_sentence: 'cases-and-counters.issue_sentences',
    company_card: 'company-card.company_cards',
  },
  ...{ integration: 'partner.integrations', webhook: 'partner.webhooks', webhook_delivery: 'partner.webhook_deliveries' },
  ...{ mail_server: 'mail.mail_servers', mail_command: 'mail.mail_commands' },
}

/** SQL: a kind with an id. The ids of others, as of programs, are texts. */
const newSubject = (column: string) => `CASE WHEN ${column} ~ '^[a-z_]+:[0-9]{1,18}$' THEN
  split_part(${column}, ':', 1) || ':' || ${newIdOf(`split_part(${column}, ':', 1)`, `split_part(${column}, ':', 2)::bigint`, subjects)}
  ELSE ${column} END`

const newDetails = `CASE WHEN details ->> 'user_role_id' ~ '^[0-9]{1,18}$'
  THEN details || jsonb_build_object('user_role_id', ${newId('auth.user_roles', "details ->> 'user_role_id'")}::text) ELSE details END`

/** The limiter has connections of its own, which know no office. */
const limits = [
  unprotected('It holds hashes of names, addresses or ids of clients, and numbers.'),
  outlivesOffices('Its rows expire.'),
  impersonal('key'),
]

/** Who reads and writes the rows of each table: row-level security, and what else PostgreSQL itself keeps. */
export const tables: Tables = {
  // What stays is an id and a version, for copies that are filled anew.
  customers: [
    officeRows('id'),
    versioned(),
    impersonal('name', 'time_zone', 'tax_number', 'phone', 'email', 'url', 'street', 'zip', 'city', 'language'),
    outlivesOffices('The row says that the office is deleted.'),
    // Closed until everything of it is there. An import that is given up is deleted as an office that leaves.
    imported({ deletes_at: "now() + interval '30 days'", deleted: 'false' }),
  ],
  user_roles: [officeRows(), versioned(), impersonal('name')],
  user_role_permissions: [officeRows(), impersonal('key'), foreignIds({ user_role_id: 'auth.user_roles' })],
  users: [
    officeRows(),
    versioned({ except: 'last_login' }),
    secret('password_hash'),
    impersonal('email', 'email_lower', 'firstname', 'lastname', 'phone'),
    foreignIds({ user_role_id: 'auth.user_roles' }),
  ],
  user_permissions: [officeRows(), impersonal('key'), foreignIds({ user_id: 'auth.users' })],
  groups: [officeRows(), versioned(), impersonal('name')],
  user_groups: [officeRows(), versioned(), foreignIds({ user_id: 'auth.users', group_id: 'auth.groups' })],
  // Ids and keys of our own. From where somebody came is kept for a year, for security.
  audit_events: [
    officeRows(),
    impersonal('kind', 'actor', 'subject', 'address', 'request_id', 'details'),
    imported({ actor: newSubject('actor'), subject: newSubject('subject'), details: newDetails }),
  ],

  client_links: [
    officeRows(),
    clientRows('user_client_id'),
    versioned(),
    personal('"user_client_id" = person.person_id', {
      ...{ firstname: "''", lastname: "''", phone: 'NULL', company_name: 'NULL', invited_email: 'NULL' },
    }),
    impersonal('state'),
    foreignIds({ user_client_id: 'auth.clients' }),
    // Who has an account here already is invited, as by any other office.
    imported({ state: `CASE WHEN state = 'active' AND ${isKnown('auth.clients', 'user_client_id')} THEN 'invited' ELSE state END` }),
  ],
  // An account belongs to no office: the platform writes it, a linked office and the client themselves read it.
  clients: [
    platformRows(),
    clientRows('id'),
    readable('linked', ofLinkedClients),
    versioned({ except: 'last_login' }),
    secret('password_hash'),
    ofOffice(`"id" IN (${onlyItsClients})`),
    personalRows('person.account AND "id" = person.person_id'),
    // By this an external platform knows them: an export is no proof of it.
    imported({ external_user_id: 'NULL' }),
  ],
  client_data_changes: [
    unprotected('It holds ids and hashes of addresses, which a trigger compares whoever writes an account.'),
    // Also of a client who works there: other offices know them, and the change is under way.
    ofOffice(`"user_client_id" IN (${onlyItsClients})`),
    personal('person.account AND "user_client_id" = person.person_id AND "ended" IS NOT NULL', { address: 'NULL' }),
    impersonal('state'),
  ],

  office_imports: [platformRows(), impersonal('hash', 'blocks'), ofOffice('"customer_id" = $1')],

  // Read before anybody knows who is asking.
  applications: [
    platformRows(),
    impersonal('client_id', 'kind', 'name', 'secret_hash'),
    outlivesOffices('They are programs of the installation.'),
  ],
  sessions: [platformRows(), impersonal('audience', 'kind'), ofOffice(ofItsPeople)],
  refresh_tokens: [platformRows(), impersonal('hash'), ofOffice(`"session_id" IN (SELECT "id" FROM "sessions" WHERE ${ofItsPeople})`)],
  second_factors: [platformRows(), personalRows(itsOwn), ofOffice(ofItsPeople)],
  recovery_codes: [
    platformRows(),
    impersonal('hash'),
    ofOffice(`"second_factor_id" IN (SELECT "id" FROM "second_factors" WHERE ${ofItsPeople})`),
  ],
  signing_keys: [platformRows(), impersonal('kid', 'public_jwk', 'private_key'), outlivesOffices('They are keys of the installation.')],
  mailed_links: [platformRows(), personalRows(itsOwn), ofOffice(ofItsPeople)],
  known_addresses: [platformRows(), impersonal('hash'), outlivesOffices('It holds keyed hashes, which expire.')],

  // In which the build before counts during a rollout. A later migration drops them.
  login_failures: limits,
  office_requests: limits,
  token_requests: limits,
}
