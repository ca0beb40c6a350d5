import {
  clientRows,
  currentClient,
  currentClientText,
  officeRows,
  ofOffice,
  platformRows,
  readable,
  readableByOwner,
  type Tables,
  unprotected,
  versioned,
} from '@caseway/kit/tables'

const atOpenOffice = `${currentClient} IS NOT NULL AND "customer_id" = ANY (((SELECT "client_offices"())::bigint[]))`

// Functions, so that what they read, and the policies of that, are no part of the plans of employees.
const ofSentences = `${atOpenOffice} AND "object_name" = 'IssueSentence' AND "is_own_sentence"("object_id")`
const attached = `${atOpenOffice} AND "is_linked_file"("id")`

/** Who reads and writes the rows of each table: row-level security, and what else PostgreSQL itself keeps. */
export const tables: Tables = {
  tags: [officeRows(), versioned()],
  // Clients read and lock their own cases of all offices; what they change is written inside the one office.
  issues: [officeRows(), clientRows('user_client_id', { atOpenOffices: true, mayLock: true }), versioned()],
  issue_documents: [officeRows(), clientRows('user_client_id', { atOpenOffices: true }), readableByOwner('matching_issues')],
  issue_payment_offers: [officeRows(), clientRows('user_client_id', { atOpenOffices: true }), versioned()],
  report_days: [officeRows()],
  report_issues: [officeRows()],
  work_time_days: [officeRows()],
  work_times: [officeRows(), versioned()],
  issue_numbers: [officeRows()],
  issue_counters: [officeRows()],
  counter_checks: [platformRows(), ofOffice('"customer_id" = $1')],
  comments: [officeRows(), versioned()],
  // A sentence has a client from the moment at which it is sent.
  issue_sentences: [officeRows(), clientRows('user_client_id', { atOpenOffices: true }), versioned()],
  issue_subjects: [officeRows(), versioned()],
  issue_subject_labels: [officeRows(), versioned()],
  issue_initiators: [officeRows(), versioned()],
  providers: [officeRows(), versioned()],
  provider_persons: [officeRows(), versioned()],
  issue_tags: [officeRows(), versioned()],
  mail_folder_counts: [officeRows()],

  // A person's own, of which the resource says so: an office has them all.
  notifications: [officeRows(), versioned()],

  // Copies of what files owns. A client sees those of the sentences that they see.
  common_files: [officeRows(), readable('of_sentences', attached)],
  common_file_objects: [officeRows(), readable('of_sentences', ofSentences)],

  // Copies of what auth and mail own.
  users: [officeRows()],
  groups: [officeRows()],
  customers: [officeRows('id')],
  client_links: [officeRows(), clientRows('client_id')],

  // The entries of a client's feed name no case of a closed office, see `feedRepository.read`.
  feed_entries: [officeRows(), readable('own', `"feed" = ${currentClientText('client:')}`)],
  feeds: [
    unprotected('The feed of a client is advanced by several offices, and a row holds a number only.'),
    ofOffice(`"feed" = 'office:' || $1::bigint`),
  ],
  // A ticket is redeemed before anybody knows whose it is.
  event_tickets: [platformRows(), ofOffice('"customer_id" = $1')],
}
