import { erasedKey } from '@caseway/kit/blobs'
import {
  copied,
  foreignIds,
  impersonal,
  imported,
  newId,
  newIdOf,
  newIdsOf,
  notImported,
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
import { attachmentsAddress } from './received-messages/attachment-address.js'

const ofMailboxes = [
  ...['user_name', 'user_email', 'user_login', 'oauth_provider', 'reply_to', 'signature', 'server_address', 'state', 'last_error'],
]

/** SQL: whether texts mention the person. The original bytes of such a message are deleted, since they cannot be rewritten. */
const mentionsPerson = (...columns: string[]) => `concat_ws(' ', ${columns.join(', ')}) COLLATE pg_c_utf8 ~* person.sure`

const fromThem = '"client_id" = person.person_id OR lower("mail_address") = ANY (person.emails)'
const ofReceived = mentionsPerson('"mail_name"', '"mail_to"', '"mail_cc"', '"mail_subject"', '"body_text"', '"mail_body"')

const toThem = `"client_id" = person.person_id OR lower("mail_address") = ANY (person.emails) OR EXISTS (
  SELECT FROM "mail_sent_recipients" AS recipient
  WHERE recipient."sent_message_id" = "mail_sent_messages"."id" AND lower(recipient."address") = ANY (person.emails))`
const ofSent = mentionsPerson('"mail_name"', '"mail_subject"', '"mail_body"')
const withoutOriginal = { blob_key: 'NULL', sha256: 'NULL', size: 'NULL', copy_due: 'false' }

const theirs = (table: string) => `EXISTS (
  SELECT FROM "mail_received_messages" AS message
  WHERE message."id" = "${table}"."message_id" AND message."customer_id" = person.office_id AND message."client_id" = person.person_id)`

const reindexed = `SELECT "search_document"(message."customer_id", left(concat_ws(' ', message."mail_subject", message."mail_name",
    message."mail_address", message."mail_to", message."mail_cc", message."body_text"), 50000))
  FROM "mail_received_messages" AS message WHERE message."id" = "mail_received_documents"."message_id"`
const mentionsThem = `EXISTS (
  SELECT FROM unnest(person.phrases) AS phrase
  WHERE "mail_received_documents"."document" @@ "search_query"("mail_received_documents"."customer_id", phrase, ''))`

const of = (table: string) => `mail.${table}`

/** The tables to which the id of a sender refers, by its kind. */
const knownAs = { client: 'auth.client_links', provider: 'cases-and-counters.provider_persons', lead: 'polls-and-widgets.poll_answers' }

/** SQL: the former folder of a message in TRASH. */
const folderBefore = `CASE WHEN before ->> 'mail_folder_id' ~ '^[0-9]{1,18}$'
  THEN before || jsonb_build_object('mail_folder_id', ${newId(of('mail_folders'), "before ->> 'mail_folder_id'")}::text) ELSE before END`

/** SQL: the beginning of an attribute in sanitised HTML that has the address of an image of the message. */
const imageOf = (messageId: string) => `'"${attachmentsAddress(`' || ${messageId} || '`)}'`
const bodyWithItsImages = `replace(mail_body, ${imageOf('id')}, ${imageOf(newId(of('mail_received_messages'), 'id'))})`

/** Who reads and writes the rows of each table: row-level security, and further rules that PostgreSQL enforces. */
export const tables: Tables = {
  mail_servers: [
    officeRows(),
    versioned({ except: 'last_fetch_at' }),
    secret('password', 'user_password', 'oauth'),
    impersonal(...ofMailboxes),
    foreignIds({ user_id: 'auth.users' }),
    imported({
      state: "CASE state WHEN 'paused' THEN state ELSE 'auth_failed' END",
      last_error: "'The mailbox was imported without its password: enter it again.'",
    }),
  ],
  former_mailboxes: [officeRows(), impersonal('user_email'), notImported('What came through a mailbox that is gone belongs to none here.')],
  mail_grants: [
    officeRows(),
    secret('begun', 'tokens'),
    impersonal('user_email', 'provider'),
    notImported('Without what is secret it is of no use.'),
  ],
  remote_folders: [officeRows(), impersonal('path', 'special_use'), foreignIds({ mail_server_id: of('mail_servers') })],
  message_locations: [
    officeRows(),
    impersonal('uidl'),
    foreignIds({ remote_folder_id: of('remote_folders'), message_id: of('mail_received_messages') }),
  ],
  ingest_failures: [
    officeRows(),
    written(['error']),
    impersonal('uidl'),
    foreignIds({ mail_server_id: of('mail_servers'), remote_folder_id: of('remote_folders') }),
  ],
  mail_received_messages: [
    officeRows(),
    versioned(),
    personal(`${fromThem} OR ${ofReceived}`, { blob_key: `'${erasedKey}'` }),
    personal(fromThem, { client_id: 'person.person_id', mail_address: "''", mail_name: "''" }),
    written(
      [
        ...['mail_address', 'mail_name', 'mail_to', 'mail_cc', 'mail_subject', 'mail_body', 'body_text', 'tags'],
        ...['msg_unique_identifier', 'in_reply_to_msg_uid', 'reference'],
      ],
      { own: '"client_id" = person.person_id' },
    ),
    impersonal('folder_name', 'before', 'auto_kind', 'parse_state', 'sha256'),
    foreignIds({
      ...{ mail_server_id: of('mail_servers'), mail_thread_id: of('mail_threads'), mail_folder_id: of('mail_folders') },
      ...{ user_id: 'auth.users', client_id: 'auth.clients', issue_id: 'cases-and-counters.issues' },
    }),
    imported({ before: folderBefore, mail_body: bodyWithItsImages }),
  ],
  mail_received_documents: [
    officeRows(),
    readableByOwner('matching_messages'),
    personal(`${theirs('mail_received_documents')} OR ${mentionsThem}`, { document: reindexed }),
    notImported('A trigger of the messages writes it.'),
  ],
  mail_attachments: [
    officeRows(),
    written(['filename'], { own: theirs('mail_attachments') }),
    impersonal('mime', 'content_id', 'virus_scan_status', 'virus_scan_error', 'blob_key'),
    foreignIds({ message_id: of('mail_received_messages'), common_file_id: 'files.common_files' }),
    // The result of another installation is not trusted.
    imported({ virus_scan_status: "'pending'", virus_scan_error: 'NULL' }),
  ],
  mail_sent_messages: [
    officeRows(),
    versioned({ except: 'copy_tried_at' }),
    personal(`"status" = 0 AND (${toThem})`, { ...withoutOriginal, status: '3', error: "'The recipient was erased.'" }),
    personal(`"status" IN (2, 3) AND (${toThem} OR ${ofSent})`, withoutOriginal),
    personal(toThem, { client_id: 'coalesce("client_id", person.person_id)' }),
    personal('lower("mail_address") = ANY (person.emails)', { mail_address: "''", mail_name: "''" }),
    written(['mail_address', 'mail_name', 'mail_subject', 'mail_body', 'msg_unique_identifier', 'error'], {
      own: '"client_id" = person.person_id',
    }),
    impersonal('folder_name', 'common_file_ids', 'phase'),
    foreignIds({
      ...{ mail_server_id: of('mail_servers'), reply_to_message_id: of('mail_received_messages') },
      ...{ user_id: 'auth.users', client_id: 'auth.clients', issue_id: 'cases-and-counters.issues' },
    }),
    // A queued message may have been sent by the other installation: it becomes a draft, and its owner decides.
    imported({
      common_file_ids: newIdsOf('files.common_files', 'common_file_ids'),
      status: 'CASE WHEN status IN (0, 1) THEN 4 ELSE status END',
      folder_name: "CASE WHEN status IN (0, 1) THEN 'DRAFTS' ELSE folder_name END",
      ...{ phase: 'NULL', lease_until: 'NULL', next_attempt_at: 'NULL', copy_due: 'false' },
    }),
  ],
  mail_sent_recipients: [
    officeRows(),
    personal('lower("address") = ANY (person.emails)', { address: "''", name: "''" }),
    written(['name', 'error']),
    impersonal('kind', 'state'),
    foreignIds({ sent_message_id: of('mail_sent_messages') }),
  ],
  mail_sentences: [
    officeRows(),
    versioned(),
    impersonal('state', 'reason'),
    foreignIds({
      ...{ issue_id: 'cases-and-counters.issues', issue_sentence_id: 'cases-and-counters.issue_sentences' },
      mail_sent_message_id: of('mail_sent_messages'),
    }),
    imported({
      state: "CASE state WHEN 'waiting' THEN 'not_sent' ELSE state END",
      reason: "CASE state WHEN 'waiting' THEN 'no_mailbox' ELSE reason END",
    }),
  ],
  mail_traces: [
    officeRows(),
    personalRows(`${theirs('mail_traces')} OR ${mentionsPerson('"reason"')}`),
    notImported('They say what another installation decided, and expire.'),
  ],
  mail_threads: [officeRows(), foreignIds({ issue_id: 'cases-and-counters.issues' })],
  thread_members: [
    officeRows(),
    impersonal('hash'),
    foreignIds({ mail_server_id: of('mail_servers'), mail_thread_id: of('mail_threads') }),
  ],
  mail_folders: [
    officeRows(),
    versioned(),
    written(['name']),
    impersonal('system_name'),
    foreignIds({ user_id: 'auth.users', parent_id: of('mail_folders') }),
    // The job that would move the messages of a removed folder is not imported: its owner deletes it again.
    imported({ removed: 'false' }),
  ],
  mail_folder_rules: [
    officeRows(),
    versioned(),
    written(['name', 'conditions']),
    foreignIds({ user_id: 'auth.users', mail_folder_id: of('mail_folders') }),
  ],
  mail_folder_settings: [
    officeRows(),
    versioned(),
    impersonal('order'),
    foreignIds({ user_id: 'auth.users' }),
    imported({ order: newIdsOf(of('mail_folders'), '"order"') }),
  ],
  folder_counts: [officeRows(), impersonal('folder'), foreignIds({ user_id: 'auth.users', folder_id: of('mail_folders') })],
  mail_templates: [officeRows(), versioned(), written(['name', 'mail_subject', 'mail_body'])],
  mail_commands: [
    officeRows(),
    versioned(),
    impersonal('folder_name', 'status', 'counts'),
    foreignIds({ user_id: 'auth.users', mail_server_id: of('mail_servers') }),
    imported({
      status: "CASE status WHEN 'in_progress' THEN 'cancelled' ELSE status END",
      ended: "CASE status WHEN 'in_progress' THEN now() ELSE ended END",
      waits_until: 'NULL',
    }),
  ],
  senders: [
    officeRows(),
    personal('"client_id" = person.person_id OR "address" = ANY (person.emails)', { address: "''", known: 'false' }),
    impersonal('kind'),
    // Visitors who have answered polls have no snapshot.
    foreignIds({ client_id: 'auth.clients' }),
    imported({ id: newIdOf('kind', 'id', knownAs) }),
  ],
  office_domains: [officeRows(), copied(), impersonal('domain')],

  // Copies of what auth owns.
  users: [officeRows(), copied(), impersonal('email', 'firstname', 'lastname')],
  customers: [officeRows('id'), copied(), impersonal('time_zone', 'email')],

  employee_addresses: [
    unprotected('hashes of addresses, by which the mail of other offices is recognised'),
    ofOffice('"user_id" IN (SELECT "id" FROM "users" WHERE "customer_id" = $1)'),
    impersonal('hash'),
  ],
}
