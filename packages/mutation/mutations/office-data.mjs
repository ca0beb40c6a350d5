import { of } from './of.mjs'

const erasure = 'packages/kit/test/office-data/office-erasure.test.ts'
const rows = 'packages/kit/test/office-data/exported-rows.test.ts'
const copies = 'packages/people/test/offices.test.ts'
const imports = 'packages/kit/test/office-data/imported-rows.test.ts'
const blocks = 'packages/kit/test/office-data/id-blocks.test.ts'
const newIds = 'packages/kit/test/tables/new-ids.test.ts'
const begun = 'services/auth/test/offices/office-imports.test.ts'
const refused = 'deploy/caseway/test/office-import.test.ts'
const images = 'deploy/caseway/test/office-import-images.test.ts'
const imported = 'test-e2e/office-import.test.ts'
const closed = 'services/auth/test/offices/closed-office.test.ts'

/** What becomes of an office that leaves, or comes. */
export default [
  ...of('packages/kit/src/office-data/office-erasure.ts', erasure, [
    ['found !== 0; deleted', 'found < 0; deleted', 'waits for a concurrent change of a row'],
    ['topicRetentionMs + dayMs', 'dayMs', 'is repeated after the retention of the topics'],
    ['key = $1::text AND topic', "key = $1::text OR 'x' || topic", 'deletes its jobs and the dead letters of its topics'],
    ["{ table: 'kit.job', where: 'customer_id = $1' },", '', 'deletes its jobs and the dead letters of its topics'],
  ]),
  ...of('packages/kit/src/office-data/office-rows.ts', erasure, [
    [
      'if (conditions.length === 0) throw',
      'if (conditions.length < 0) throw',
      'throws when no rule of a table determines which rows belong to an office',
    ],
  ]),
  ...of('deploy/caseway/src/office-export/office-export.ts', 'deploy/caseway/test/office-export.test.ts', [
    [
      'await referringFirst(db, service, tables)',
      'exportedTables(tables)',
      'an export writes referring rows before the rows to which they refer, because rows may be added meanwhile',
    ],
    ['!key || !isBlobKey(key)', '!key', 'requests no bytes of a message whose original was erased'],
  ]),
  ...of('packages/kit/src/office-data/exported-rows.ts', rows, [
    ['.*) - $1::text[])', '.*) - ($1::text[])[:0])', 'have no secret columns'],
    ['db.query(office(customerId)', 'db.query(platform', 'are those that the office may read by row-level security'],
    ['WHERE (${where})', 'WHERE true', 'by an index that begins with the office'],
    ['ofOffice : readable)', 'ofOffice : [])', 'the tables of an export are those of which an office may read rows'],
  ]),
  ...of('packages/kit/src/office-data/imported-rows.ts', imports, [
    ['? platform : office(ids.customerId)', '? platform : platform', 'are rejected when a rule would assign them to another office'],
    ['DO NOTHING`', 'DO UPDATE SET title = excluded.title`', 'are left unchanged when they are imported again'],
    ["changes[rule.column] = 'new_customer_id'", '{}', 'belong to the new office'],
    ['changes[column] = newId(of, `"${column}"`)', '{}', 'refer to rows of their own import only'],
    ["if (rule.kind === 'imported')", 'if (false)', 'get the values of the rule'],
    ['other === table || done.has(other) || !names.has(other)', 'true', 'in the order of their foreign keys'],
    ["THEN '${erasedKey}' END", 'THEN blob_key END', 'has a key that depends on the import'],
  ]),
  ...of('packages/kit/src/tables/rules.ts', imports, [
    [
      "kind === 'office' || kind === 'readable'",
      "kind !== 'secret'",
      'the tables of an export are those of which an office may read rows',
      rows,
    ],
    ["=== 'not-imported'", "=== 'imported'", 'are in the order of their foreign keys'],
    [
      "&& !rules.some(({ kind }) => kind === 'not-imported')",
      '',
      'undeclaredIds returns the id columns for which no rule declares a table',
      newIds,
    ],
    ["rule.kind === 'secret' ? rule.columns", 'false ? []', 'has a password', refused],
  ]),
  ...of('packages/kit/src/office-data/id-blocks.ts', blocks, [
    ["pg_advisory_xact_lock(hashtextextended('kit.reserve_ids', 0))", '1', 'are reserved under a lock'],
    ['nextval(sequence) + $2::bigint + ${margin}', 'nextval(sequence)', 'are not assigned to other rows'],
    ['first < 1n ||', '', 'cannot range from'],
    ['count > maxIds', 'count < 0n', 'cannot range from'],
    ["AND attidentity <> ''", '', 'are undefined for a table without an identity column'],
  ]),
  ...of('packages/kit/src/tables/new-ids.ts', newIds, [
    ["WHEN 'string' THEN to_jsonb(${id}::text)", "WHEN 'string' THEN to_jsonb(${id})", 'in a text with a JSON array, whose types stay'],
    ["CASE ${column} WHEN '' THEN '' ELSE", "CASE ${column} WHEN 'none' THEN '' ELSE", 'in a text'],
  ]),
  ...of('packages/kit/src/tables/undeclared-ids.ts', newIds, [
    ["AND attidentity = ''", '', 'undeclaredIds returns the id columns for which no rule declares a table'],
  ]),
  ...of('services/auth/src/office-imports/office-import.service.ts', begun, [
    ['if (taken.length > 0) throw', 'if (taken.length < 0) throw', 'one of its addresses'],
    ['await customers.reopen(customerId)', '', 'opens the office when it is complete'],
    ['if (await imports.isUnfinished(customerId))', 'if (false)', 'opens the office when it is complete'],
  ]),
  ...of('services/auth/src/office-imports/office-import.repository.ts', begun, [
    [
      'const lowered = (email: string) => email.toLowerCase()',
      'const lowered = (email: string) => email',
      'maps clients who have an account here to its id',
    ],
    ['{ hash, completed: null }', '{ hash }', 'invites its people once'],
    ['where: { customerId, active: true }', 'where: { customerId }', 'invites its people once'],
  ]),
  ...of('deploy/caseway/src/office-import/complete-export.ts', refused, [
    ['!known.test(path)', 'false', 'names a file outside of it'],
    ['bytes !== file.bytes ||', '', 'has a file of another size'],
    ['if (format !== 1)', 'if (format === 3)', 'is of another format'],
  ]),
  ...of('deploy/caseway/src/office-import/office-import.ts', refused, [
    ['if (!rows[0]?.isFree) throw', 'if (!rows) throw', 'fails at once while another one runs'],
    ['?.count !== 1', '?.count === 2', 'has no office'],
    [
      'await inEveryService(env, (opened, definition) => requireKnownColumns(opened, definition, surveys))',
      '',
      'has a column that is not known',
    ],
  ]),
  ...of('deploy/caseway/src/office-import/office-import.ts', refused, [
    ['await administration.recountStorage(customerId)', '', 'for the size of its files: the stored bytes are counted'],
  ]),
  ...of('services/files/src/storage-use/storage-recount.service.ts', refused, [
    ['if (bytes !== size) await', 'if (bytes < size) await', 'for the size of its files: the stored bytes are counted'],
    ['?? 0\n', '?? size\n', 'for the size of its files: the stored bytes are counted'],
  ]),
  ...of('services/company-card/src/tables.ts', refused, [
    [
      "'CASE status WHEN 2 THEN 1 ELSE status END'",
      "'status'",
      'for the approval of its card: the card waits for the operator of this installation',
    ],
    [
      "notImported('The operator of this installation has to approve it.')",
      "foreignIds({ id: 'company-card.company_cards' })",
      'for the approval of its card: the card waits for the operator of this installation',
    ],
  ]),
  ...of('services/mail/src/tables.ts', imported, [
    ["status: 'CASE WHEN status IN (0, 1) THEN 4 ELSE status END'", "status: 'status'", 'is a draft, with its files, if it was queued'],
    ["newIdsOf('files.common_files', 'common_file_ids')", "'common_file_ids'", 'with its files'],
    ['before: folderBefore,', "before: 'before',", 'is in its folders'],
    [', mail_body: bodyWithItsImages', '', 'an imported message shows its own inline images', images],
  ]),
  ...of('services/auth/src/tables.ts', imported, [["THEN 'invited' ELSE", "THEN 'active' ELSE", 'are invited where they had an account']]),
  ...of('packages/people/src/offices.ts', copies, [
    [
      'if (event.deleted) await erase(event)',
      'if (false) await erase(event)',
      'the rows of a deleted office are deleted, now and once more later, and it is not copied again',
    ],
    [
      'events.filter(({ deleted }) => !deleted))\n      for (const event of events) if (event.deleted) await',
      'events)\n      for (const event of events) if (event.deleted) await',
      'an office that is created and deleted in one batch is deleted, and the others of the batch are kept',
    ],
    [
      'event.deleted && (await exists(event.id))',
      'event.deleted',
      'an office whose deletion was missed is deleted by the snapshot, unless it was never known',
    ],
    [
      'if (event.deleted && (await',
      'if (!event.deleted && (await',
      'an office whose deletion was missed is deleted by the snapshot, unless it was never known',
    ],
  ]),
  ...of('services/auth/src/accounts/account.repository.ts', closed, [
    ['AND deletes_at IS NULL FOR SHARE', 'FOR SHARE', 'refuses a sign-in that began before'],
    ['clients.length === 1 && isOpenTo(offices)', 'clients.length === 1', 'refuses a sign-in that began before'],
    ['offices.length === 0 || offices.some', 'offices.length === 0 || offices.every', 'until that is closed too'],
  ]),
  ...of('services/auth/src/customers/customer.service.ts', closed, [['await sessions.endOfOffice(id)', '', 'ends their sessions']]),
  ...of('services/auth/src/sessions/session.repository.ts', closed, [
    ['[...sessions, ...ofClients]', 'sessions', 'ends their sessions'],
    ['AND open.deletes_at IS NULL', '', 'until that is closed too'],
  ]),
]
