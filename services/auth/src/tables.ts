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

/** SQL: the clients whom no other office was ever linked with; their accounts are deleted with the office. */
const onlyItsClients = `
  SELECT "user_client_id" FROM "client_links" WHERE "customer_id" = $1
  EXCEPT SELECT "user_client_id" FROM "client_links" WHERE "customer_id" <> $1`

const ofItsPeople = `
  "kind" = 'employee' AND "user_id" IN (${employees}) OR "kind" = 'client' AND "user_id" IN (${onlyItsClients})`

/** SQL: the rows of an account that is erased. */
const itsOwn = `person.account AND "kind" = 'client' AND "user_id" = person.person_id`

/** The kinds of subjects in the audit trail whose ids an import maps, by table. */
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

/** SQL: `kind:id` with the mapped id. Subjects with other ids, such as applications, stay as they are. */
const newSubject = (column: string) => `CASE WHEN ${column} ~ '^[a-z_]+:[0-9]{1,18}$' THEN
  split_part(${column}, ':', 1) || ':' || ${newIdOf(`split_part(${column}, ':', 1)`, `split_part(${column}, ':', 2)::bigint`, subjects)}
  ELSE ${column} END`

const newDetails = `CASE WHEN details ->> 'user_role_id' ~ '^[0-9]{1,18}$'
  THEN details || jsonb_build_object('user_role_id', ${newId('auth.user_roles', "details ->> 'user_role_id'")}::text) ELSE details END`

/** The limiter uses connections of its own, without the scope of an office. */
const limits = [
  unprotected('It holds hashes of names, addresses or ids of clients, and numbers.'),
  outlivesOffices('Its rows expire.'),
  impersonal('key'),
]

/** The access rules of each table: row-level security, and what deletion, export, import and erasure do with its rows. */
export const tables: Tables = {
  // After the deletion only id and version remain, for copies that are rebuilt.
  customers: [
    officeRows('id'),
    versioned(),
    impersonal('name', 'time_zone', 'tax_number', 'phone', 'email', 'url', 'street', 'zip', 'city', 'language'),
    outlivesOffices('The row says that the office is deleted.'),
    // An imported office stays closed until the import is complete; an abandoned import is deleted like a closed office.
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
  // Only ids and keys of our own. The addresses of callers are kept for a year, for security.
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
    // Clients who have an account here are invited, as by any other office.
    imported({ state: `CASE WHEN state = 'active' AND ${isKnown('auth.clients', 'user_client_id')} THEN 'invited' ELSE state END` }),
  ],
  // The platform writes accounts; a linked office and the client read them.
  clients: [
    platformRows(),
    clientRows('id'),
    readable('linked', ofLinkedClients),
    versioned({ except: 'last_login' }),
    secret('password_hash'),
    ofOffice(`"id" IN (${onlyItsClients})`),
    personalRows('person.account AND "id" = person.person_id'),
    // An external platform identifies clients by this id, and an export does not prove it.
    imported({ external_user_id: 'NULL' }),
  ],
  client_data_changes: [
    unprotected('It holds ids and hashes of addresses, which a trigger compares whoever writes an account.'),
    // Includes the changes of clients who are employees elsewhere: other offices know them, and the change may be pending.
    ofOffice(`"user_client_id" IN (${onlyItsClients})`),
    personal('person.account AND "user_client_id" = person.person_id AND "ended" IS NOT NULL', { address: 'NULL' }),
    impersonal('state'),
  ],

  office_imports: [platformRows(), impersonal('hash', 'blocks'), ofOffice('"customer_id" = $1')],

  // Read before the caller is known.
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

  // The previous build still counts in these tables during a rollout. A later migration drops them.
  login_failures: limits,
  office_requests: limits,
  token_requests: limits,
}
