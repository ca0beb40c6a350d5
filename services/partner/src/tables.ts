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

/** Who reads and writes the rows of each table: row-level security, and what else PostgreSQL itself keeps. */
export const tables: Tables = {
  webhooks: [
    officeRows(),
    versioned({ except: 'failures' }),
    secret('secret', 'previous_secret'),
    written(['description']),
    impersonal('url', 'events', 'last_error'),
    notImported('Its receiver needs another secret, and to be asked.'),
  ],
  // What is tried again is asked for anew: the record is not there then.
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
    // Without its tokens it has to be made anew.
    imported({ broken: 'true' }),
  ],
  // Those of an office that is deleted are the platform's, until they are revoked.
  platform_tokens: [officeRows(), secret('access_token', 'refresh_token'), withoutSecrets],
  auth_codes: [officeRows(), secret('hash'), impersonal('outcome'), withoutSecrets],
  authorizations: [officeRows(), secret('hash', 'verifier', 'code_hash'), impersonal('session_id'), withoutSecrets],

  // The technical account belongs to no office, and a client to several.
  client_data_changes: [
    platformRows(),
    outlivesOffices('It holds ids of clients, for as long as its retention says.'),
    personal('person.account AND "user_client_id" = person.person_id AND "finished" IS NOT NULL', { external_user_id: "''" }),
    impersonal('state', 'refusal'),
  ],
}
