import {
  clientRows,
  copied,
  currentClient,
  foreignIds,
  impersonal,
  imported,
  newIdOf,
  notImported,
  officeRows,
  readable,
  type Tables,
  versioned,
  written,
} from '@caseway/kit/tables'

/** The files that are attached to objects which the client of the transaction sees. Row-level security limits `common_file_objects` as well. */
const attached = `"id" IN (SELECT "common_file_id" FROM "common_file_objects" WHERE "user_client_id" = ${currentClient})
  AND "customer_id" = ANY (((SELECT "client_offices"())::bigint[]))`

const attachedToTheirs = `EXISTS (
  SELECT FROM "common_file_objects" AS link WHERE link."common_file_id" = "common_files"."id" AND link."user_client_id" = person.person_id)`

/** The tables of objects, by the names of objects. */
const attachedTo = {
  ...{ Issue: 'cases-and-counters.issues', IssueSentence: 'cases-and-counters.issue_sentences', Comment: 'cases-and-counters.comments' },
  ...{ MailSentMysqlMessage: 'mail.mail_sent_messages', MailReceivedMysqlMessage: 'mail.mail_received_messages' },
  CompanyCard: 'company-card.company_cards',
}

/** The rules of each table that PostgreSQL enforces, such as row-level security. */
export const tables: Tables = {
  common_files: [
    officeRows(),
    clientRows('user_client_id', { atOpenOffices: true, mayLock: true }),
    readable('attached', attached),
    versioned(),
    // The bytes are not searched: documents belong to the office, which decides about their content.
    written(['name', 'filename'], { own: `"common_files"."user_client_id" = person.person_id OR ${attachedToTheirs}` }),
    impersonal('mime', 'sha256', 'blob_key', 'virus_scan_status', 'virus_scan_error', 'compression', 'type'),
    foreignIds({ user_client_id: 'auth.clients' }),
    // Scan results of other installations are not trusted.
    imported({ virus_scan_status: "'pending'", virus_scan_error: 'NULL' }),
  ],
  common_file_objects: [
    officeRows(),
    clientRows('user_client_id', { atOpenOffices: true }),
    versioned(),
    impersonal('object_name'),
    foreignIds({ common_file_id: 'files.common_files', user_client_id: 'auth.clients', issue_id: 'cases-and-counters.issues' }),
    imported({ object_id: newIdOf('object_name', 'object_id', attachedTo) }),
  ],
  storage_use: [officeRows(), notImported('It is counted, by the bytes that have come.')],

  // Copies of what auth owns.
  customers: [officeRows('id'), copied(), impersonal('time_zone')],
  client_links: [officeRows(), clientRows('client_id'), copied(), impersonal('state')],
}
