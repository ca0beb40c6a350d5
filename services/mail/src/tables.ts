import {
  impersonal,
  officeRows,
  ofOffice,
  personal,
  personalRows,
  readableByOwner,
  secret,
  type Tables,
  unprotected,
  versioned,
  written,
} from '@caseway/kit/tables'

const ofMailboxes = [
  ...['user_name', 'user_email', 'user_login', 'oauth_provider', 'reply_to', 'signature', 'server_address', 'state', 'last_error'],
]

/** Of a message that tells of the person its original is no more, since nobody can rewrite it. */
const tellsOf = (...columns: string[]) => `concat_ws(' ', ${columns.join(', ')}) COLLATE pg_c_utf8 ~* person.sure`

const fromThem = '"client_id" = person.person_id OR lower("mail_address") = ANY (person.emails)'
const ofReceived = tellsOf('"mail_name"', '"mail_to"', '"mail_cc"', '"mail_subject"', '"body_text"', '"mail_body"')

const toThem = `"client_id" = person.person_id OR lower("mail_address") = ANY (person.emails) OR EXISTS (
  SELECT FROM "mail_sent_recipients" AS recipient
  WHERE recipient."sent_message_id" = "mail_sent_messages"."id" AND lower(recipient."address") = ANY (person.emails))`
const ofSent = tellsOf('"mail_name"', '"mail_subject"', '"mail_body"')
const withoutOriginal = { blob_key: 'NULL', sha256: 'NULL', size: 'NULL', copy_due: 'false' }

const theirs = (table: string) => `"${table}"."message_id" IN (
  SELECT message."id" FROM "mail_received_messages" AS message WHERE message."customer_id" = person.office_id AND message."client_id" = person.person_id)`

const indexedAnew = `SELECT "search_document"(message."customer_id", left(concat_ws(' ', message."mail_subject", message."mail_name",
    message."mail_address", message."mail_to", message."mail_cc", message."body_text"), 50000))
  FROM "mail_received_messages" AS message WHERE message."id" = "mail_received_documents"."message_id"`
const saysThem = `EXISTS (
  SELECT FROM unnest(person.phrases) AS phrase
  WHERE "mail_received_documents"."document" @@ "search_query"("mail_received_documents"."customer_id", phrase, ''))`

/** Who reads and writes the rows of each table: row-level security, and what else PostgreSQL itself keeps. */
export const tables: Tables = {
  mail_servers: [
    officeRows(),
    versioned({ except: 'last_fetch_at' }),
    secret('password', 'user_password', 'oauth'),
    impersonal(...ofMailboxes),
  ],
  mail_grants: [officeRows(), secret('begun', 'tokens'), impersonal('user_email', 'provider')],
  remote_folders: [officeRows(), impersonal('path', 'special_use')],
  message_locations: [officeRows(), impersonal('uidl')],
  ingest_failures: [officeRows(), written(['error']), impersonal('uidl')],
  mail_received_messages: [
    officeRows(),
    versioned(),
    personal(`${fromThem} OR ${ofReceived}`, { blob_key: "'erased'" }),
    personal(fromThem, { client_id: 'person.person_id', mail_address: "''", mail_name: "''" }),
    written(
      [
        ...['mail_address', 'mail_name', 'mail_to', 'mail_cc', 'mail_subject', 'mail_body', 'body_text', 'tags'],
        ...['msg_unique_identifier', 'in_reply_to_msg_uid', 'reference'],
      ],
      { own: '"client_id" = person.person_id' },
    ),
    impersonal('folder_name', 'before', 'auto_kind', 'parse_state', 'sha256'),
  ],
  mail_received_documents: [
    officeRows(),
    readableByOwner('matching_messages'),
    personal(`${theirs('mail_received_documents')} OR ${saysThem}`, { document: indexedAnew }),
  ],
  mail_attachments: [
    officeRows(),
    written(['filename'], { own: theirs('mail_attachments') }),
    impersonal('mime', 'content_id', 'virus_scan_status', 'virus_scan_error', 'blob_key'),
  ],
  mail_sent_messages: [
    officeRows(),
    versioned(),
    personal(`"status" = 0 AND (${toThem})`, { ...withoutOriginal, status: '3', error: "'The recipient was erased.'" }),
    personal(`"status" IN (2, 3) AND (${toThem} OR ${ofSent})`, withoutOriginal),
    personal(toThem, { client_id: 'coalesce("client_id", person.person_id)' }),
    personal('lower("mail_address") = ANY (person.emails)', { mail_address: "''", mail_name: "''" }),
    written(['mail_address', 'mail_name', 'mail_subject', 'mail_body', 'msg_unique_identifier', 'error'], {
      own: '"client_id" = person.person_id',
    }),
    impersonal('folder_name', 'common_file_ids', 'phase'),
  ],
  mail_sent_recipients: [
    officeRows(),
    personal('lower("address") = ANY (person.emails)', { address: "''", name: "''" }),
    written(['name', 'error']),
    impersonal('kind', 'state'),
  ],
  mail_sentences: [officeRows(), versioned(), impersonal('state', 'reason')],
  mail_traces: [officeRows(), personalRows(`${theirs('mail_traces')} OR ${tellsOf('"reason"')}`)],
  mail_threads: [officeRows()],
  thread_members: [officeRows(), impersonal('hash')],
  mail_folders: [officeRows(), versioned(), written(['name']), impersonal('system_name')],
  mail_folder_rules: [officeRows(), versioned(), written(['name', 'conditions'])],
  mail_folder_settings: [officeRows(), versioned(), impersonal('order')],
  folder_counts: [officeRows(), impersonal('folder')],
  mail_templates: [officeRows(), versioned(), written(['name', 'mail_subject', 'mail_body'])],
  mail_commands: [officeRows(), versioned(), impersonal('folder_name', 'status', 'counts')],
  senders: [
    officeRows(),
    personal('"client_id" = person.person_id OR "address" = ANY (person.emails)', { address: "''", known: 'false' }),
    impersonal('kind'),
  ],
  office_domains: [officeRows(), impersonal('domain')],

  // Copies of what auth owns.
  users: [officeRows(), impersonal('email', 'firstname', 'lastname')],
  customers: [officeRows('id'), impersonal('time_zone', 'email')],

  employee_addresses: [
    unprotected('hashes of addresses, by which the mail of other offices is recognised'),
    ofOffice('"user_id" IN (SELECT "id" FROM "users" WHERE "customer_id" = $1)'),
    impersonal('hash'),
  ],
}
