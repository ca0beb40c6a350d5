import { officeRows, ofOffice, readableByOwner, secret, type Tables, unprotected, versioned } from '@caseway/kit/tables'

/** Who reads and writes the rows of each table: row-level security, and what else PostgreSQL itself keeps. */
export const tables: Tables = {
  mail_servers: [officeRows(), versioned({ except: 'last_fetch_at' }), secret('password', 'user_password', 'oauth')],
  mail_grants: [officeRows(), secret('begun', 'tokens')],
  remote_folders: [officeRows()],
  message_locations: [officeRows()],
  ingest_failures: [officeRows()],
  mail_received_messages: [officeRows(), versioned()],
  mail_received_documents: [officeRows(), readableByOwner('matching_messages')],
  mail_attachments: [officeRows()],
  mail_sent_messages: [officeRows(), versioned()],
  mail_sent_recipients: [officeRows()],
  mail_sentences: [officeRows(), versioned()],
  mail_traces: [officeRows()],
  mail_threads: [officeRows()],
  thread_members: [officeRows()],
  mail_folders: [officeRows(), versioned()],
  mail_folder_rules: [officeRows(), versioned()],
  mail_folder_settings: [officeRows(), versioned()],
  folder_counts: [officeRows()],
  mail_templates: [officeRows(), versioned()],
  mail_commands: [officeRows(), versioned()],
  senders: [officeRows()],
  office_domains: [officeRows()],

  // Copies of what auth owns.
  users: [officeRows()],
  customers: [officeRows('id')],

  employee_addresses: [
    unprotected('hashes of addresses, by which the mail of other offices is recognised'),
    ofOffice('"user_id" IN (SELECT "id" FROM "users" WHERE "customer_id" = $1)'),
  ],
}
