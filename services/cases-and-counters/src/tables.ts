import {
  clientRows,
  copied,
  currentClient,
  currentClientText,
  foreignIds,
  impersonal,
  imported,
  newIdOf,
  notImported,
  officeRows,
  ofOffice,
  personal,
  personalRows,
  platformRows,
  readable,
  readableByOwner,
  type Tables,
  unprotected,
  versioned,
  written,
} from '@caseway/kit/tables'

const atOpenOffice = `${currentClient} IS NOT NULL AND "customer_id" = ANY (((SELECT "client_offices"())::bigint[]))`

// Functions, so that the tables and policies that they read do not become part of the query plans of employees.
const ofSentences = `${atOpenOffice} AND "object_name" = 'IssueSentence' AND "is_own_sentence"("object_id")`
const attached = `${atOpenOffice} AND "is_linked_file"("id")`

/** SQL: whether a case is one of the person who is erased. */
const ofPerson = (issueId: string) => `EXISTS (
  SELECT FROM "issues" AS issue
  LEFT JOIN "issue_initiators" AS card ON card."customer_id" = issue."customer_id" AND card."id" = issue."issue_initiator_id"
  WHERE issue."id" = ${issueId} AND issue."customer_id" = person.office_id AND person.person_id IN (issue."user_client_id", card."user_client_id"))`

const saysThem = `EXISTS (
  SELECT FROM unnest(person.phrases) AS phrase
  WHERE "issue_documents"."document" @@ "search_query"("issue_documents"."customer_id", phrase, ''))`

const indexedAnew = `SELECT "issue_head_words"(issue) || "sentence_words"(issue."customer_id", issue."id") FROM "issues" AS issue
  WHERE issue."id" = "issue_documents"."issue_id"`

const attachedToTheirs = `EXISTS (
  SELECT FROM "common_file_objects" AS link JOIN "issue_sentences" AS sentence ON link."object_name" = 'IssueSentence' AND sentence."id" = link."object_id"
  WHERE link."common_file_id" = "common_files"."id" AND ${ofPerson('sentence."issue_id"')})`

/** The card remains without its data, because cases refer to it. The id of the client identifies it as theirs once the address is gone. */
const nobody = {
  ...{ first_name: "''", last_name: "''", email: 'NULL', phone: 'NULL', company_name: 'NULL' },
  user_client_id: 'person.person_id',
}

const of = (table: string) => `cases-and-counters.${table}`

/** The object of a notification, by its type. */
const happenedTo = {
  ...{
    issue_assigned: of('issues'),
    issue_delegated: of('issues'),
    comments_add: of('comments'),
    offer_chosen: of('issue_payment_offers'),
  },
  ...{ reply_rejected: of('issue_sentences'), reply_approved: of('issue_sentences'), reply_to_review: of('issue_sentences') },
  sentence_add: of('issue_sentences'),
  ...{ mailbox: 'mail.mail_servers', sent_message: 'mail.mail_sent_messages' },
  ...{ integration_error: 'partner.integrations', webhook_disabled: 'partner.webhooks' },
}

/** SQL: versions of unsent messages are negative (see `service-notices`). */
const kindOfNotice = `CASE WHEN type <> 'mail_error' THEN type WHEN object_version < 0 THEN 'sent_message' ELSE 'mailbox' END`

/** The access rules of each table: row-level security, and what deletion, export, import and erasure do with its rows. */
export const tables: Tables = {
  tags: [officeRows(), versioned(), written(['name']), impersonal('color_background', 'color_text'), foreignIds({ user_id: 'auth.users' })],
  // Clients read and lock their own cases of all offices, but write within one office.
  issues: [
    officeRows(),
    clientRows('user_client_id', { atOpenOffices: true, mayLock: true }),
    versioned(),
    written(['subject'], { own: ofPerson('"issues"."id"') }),
    impersonal('status', 'source'),
    foreignIds({
      ...{ user_id: 'auth.users', delegated_user_id: 'auth.users', delegated_by: 'auth.users', group_id: 'auth.groups' },
      ...{ user_client_id: 'auth.clients', issue_subject_id: of('issue_subjects'), issue_initiator_id: of('issue_initiators') },
      provider_id: of('providers'),
    }),
  ],
  issue_documents: [
    officeRows(),
    clientRows('user_client_id', { atOpenOffices: true }),
    readableByOwner('matching_issues'),
    personal(`${ofPerson('"issue_documents"."issue_id"')} OR ${saysThem}`, { document: indexedAnew }),
    impersonal('padding'),
    notImported('Triggers of what it is made of write it.'),
  ],
  issue_payment_offers: [
    officeRows(),
    clientRows('user_client_id', { atOpenOffices: true }),
    versioned(),
    written(['name', 'description'], { own: ofPerson('"issue_payment_offers"."issue_id"') }),
    foreignIds({ user_client_id: 'auth.clients', issue_id: of('issues') }),
  ],
  report_days: [officeRows(), foreignIds({ user_id: 'auth.users' })],
  report_issues: [officeRows(), foreignIds({ user_id: 'auth.users', issue_id: of('issues') })],
  work_time_days: [officeRows(), foreignIds({ work_time_id: of('work_times') })],
  work_times: [officeRows(), versioned(), impersonal('kind'), foreignIds({ user_id: 'auth.users', issue_id: of('issues') })],
  issue_numbers: [officeRows()],
  issue_counters: [officeRows(), impersonal('counter'), foreignIds({ user_id: 'auth.users', other_user_id: 'auth.users' })],
  counter_checks: [platformRows(), impersonal('drift'), ofOffice('"customer_id" = $1')],
  comments: [
    officeRows(),
    versioned(),
    written(['body'], { own: ofPerson('"comments"."issue_id"') }),
    foreignIds({ group_id: 'auth.groups', user_id: 'auth.users', issue_id: of('issues') }),
  ],
  // A sentence has a client once it is sent.
  issue_sentences: [
    officeRows(),
    clientRows('user_client_id', { atOpenOffices: true }),
    versioned(),
    written(['body', 'original_body', 'reject_reason'], { own: ofPerson('"issue_sentences"."issue_id"') }),
    impersonal('speaker', 'object_name', 'status'),
    foreignIds({
      ...{ issue_id: of('issues'), user_client_id: 'auth.clients', reviewed_by: 'auth.users', template_id: 'mail.mail_templates' },
    }),
    imported({
      speaker_id: newIdOf('speaker', 'speaker_id', { expert: 'auth.users', initiator: 'auth.clients' }),
      object_id: newIdOf('object_name', 'object_id', { PollAnswer: 'polls-and-widgets.poll_answers' }),
    }),
  ],
  issue_subjects: [officeRows(), versioned(), written(['name'])],
  issue_subject_labels: [officeRows(), versioned(), written(['label']), foreignIds({ issue_subject_id: of('issue_subjects') })],
  issue_initiators: [
    officeRows(),
    versioned(),
    personal('"user_client_id" = person.person_id OR lower("email") = ANY (person.emails)', nobody),
    // A generated column.
    impersonal('email_lower'),
    foreignIds({ user_client_id: 'auth.clients' }),
  ],
  providers: [
    officeRows(),
    versioned(),
    personal('lower("email") = ANY (person.emails)', { email: 'NULL' }),
    written(['name', 'tax_number', 'phone', 'address']),
  ],
  // A person with the card or an address of the erased person is the same person. Cases do not refer to these rows.
  provider_persons: [
    officeRows(),
    versioned(),
    personalRows(`lower("email") = ANY (person.emails) OR EXISTS (
      SELECT FROM "issue_initiators" AS card WHERE card."customer_id" = person.office_id
        AND card."id" = "provider_persons"."issue_initiator_id" AND card."user_client_id" = person.person_id)`),
    foreignIds({ provider_id: of('providers'), issue_initiator_id: of('issue_initiators') }),
  ],
  issue_tags: [officeRows(), versioned(), foreignIds({ issue_id: of('issues'), tag_id: of('tags') })],
  mail_folder_counts: [officeRows(), impersonal('folder'), foreignIds({ user_id: 'auth.users', folder_id: 'mail.mail_folders' })],

  // Row-level security admits all of an office; the resource limits them to those of the caller.
  notifications: [
    officeRows(),
    versioned(),
    impersonal('type', 'status'),
    foreignIds({ user_id: 'auth.users', from_user_id: 'auth.users', issue_id: of('issues') }),
    imported({ object_id: newIdOf(kindOfNotice, 'object_id', happenedTo) }),
  ],

  // Copies of records of files. Clients see those of the sentences that they see.
  common_files: [
    officeRows(),
    readable('of_sentences', attached),
    copied(),
    written(['name', 'filename'], { own: attachedToTheirs }),
    impersonal('mime', 'virus_scan_status', 'virus_scan_error'),
  ],
  common_file_objects: [officeRows(), readable('of_sentences', ofSentences), copied(), impersonal('object_name')],

  // Copies of records of auth and mail.
  users: [officeRows(), copied(), impersonal('email', 'firstname', 'lastname')],
  groups: [officeRows(), copied()],
  customers: [officeRows('id'), copied(), impersonal('time_zone')],
  client_links: [officeRows(), clientRows('client_id'), copied(), impersonal('state')],

  // The entries of a client's feed do not name cases of closed offices, see `feedRepository.read`.
  feed_entries: [
    officeRows(),
    impersonal('feed'),
    readable('own', `"feed" = ${currentClientText('client:')}`),
    notImported('It is for whoever is signed in.'),
  ],
  feeds: [
    unprotected('The feed of a client is advanced by several offices, and a row holds a number only.'),
    ofOffice(`"feed" = 'office:' || $1::bigint`),
    impersonal('feed'),
  ],
  // A ticket is redeemed before the caller is known.
  event_tickets: [platformRows(), impersonal('hash', 'role', 'session_id'), ofOffice('"customer_id" = $1')],
}
