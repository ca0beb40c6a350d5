import {
  copied,
  foreignIds,
  impersonal,
  imported,
  notImported,
  officeRows,
  outlivesOffices,
  personal,
  platformRows,
  secret,
  type Tables,
  versioned,
  written,
} from '@caseway/kit/tables'

const withoutSecrets = notImported('Without what is secret it is of no use.')

/** The rules of each table that PostgreSQL enforces, such as row-level security. */
export const tables: Tables = {
  webhooks: [
    officeRows(),
    versioned({ except: 'failures' }),
    secret('secret', 'previous_secret'),
    written(['description']),
    impersonal('url', 'events', 'last_error'),
    notImported('Its receiver needs another secret, and to be asked.'),
  ],
  // A retry reads the record again, which is erased by then.
  webhook_deliveries: [
    officeRows(),
    versioned(),
    personal(`"subject" = 'client:' || person.person_id`, { payload: 'NULL' }),
    written(['payload', 'last_error'], { own: '"webhook_deliveries"."payload" COLLATE pg_c_utf8 ~* person.sure', json: true }),
    impersonal('event_id', 'event_type', 'subject', 'status'),
    notImported('They are of webhooks, which are not imported.'),
  ],

  // Copy of what auth owns.
  customers: [officeRows('id'), copied(), impersonal('time_zone')],
  integrations: [
    officeRows(),
    versioned(),
    impersonal('company_id', 'name', 'lump_tax_rate', 'companies'),
    foreignIds({ user_id: 'auth.users' }),
    // Tokens are not imported, so that the integration must be created anew.
    imported({ broken: 'true' }),
  ],
  // Tokens of a deleted office are in the scope of the platform until they are revoked.
  platform_tokens: [officeRows(), secret('access_token', 'refresh_token'), withoutSecrets],
  auth_codes: [officeRows(), secret('hash'), impersonal('outcome'), withoutSecrets],
  authorizations: [officeRows(), secret('hash', 'verifier', 'code_hash'), impersonal('session_id'), withoutSecrets],

  // The technical account belongs to no office, and a client may be linked with several.
  client_data_changes: [
    platformRows(),
    outlivesOffices('It holds ids of clients, for as long as its retention says.'),
    personal('person.account AND "user_client_id" = person.person_id AND "finished" IS NOT NULL', { external_user_id: "''" }),
    impersonal('state', 'refusal'),
  ],
}
