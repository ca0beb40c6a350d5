import { of } from './of.mjs'

const receiving = (name) => `services/mail/src/receiving/${name}.ts`
const test = (name) => `services/mail/test/${name}.test.ts`
/** With a real Dovecot. */
const withServer = (name) => `services/mail/test/mail/${name}.mail-test.ts`
const source = test('receiving/pop3-mailbox-source')

/** What fetches messages from their servers, reads them, and keeps mailboxes going. */
export default [
  ...of(receiving('mailboxes/back-off'), 'services/mail/src/receiving/mailboxes/back-off.test.ts', [
    ['next.refusedLogins >= maxRefused', 'next.refusedLogins > maxRefused', 'stop a mailbox when there are five within an hour'],
    ['now.getTime() - refusedSince.getTime() < hourMs', 'true', 'are counted anew after an hour'],
  ]),
  ...of(receiving('backfills/byte-budget'), 'services/mail/src/receiving/backfills/byte-budget.test.ts', [
    ['Math.max(1, beyond)', 'Math.max(2, beyond)', 'a budget that is '],
    ['usedUp = remaining <= 0', 'usedUp = remaining < 0', 'a budget that is '],
  ]),
  ...of(receiving('backfills/backfill.repository'), withServer('backfill'), [
    [' AND bytes_day = current_date`', '`', 'that has used up the bytes of the day'],
    ['data: { waitsUntil: null }', 'data: {}', 'that has used up the bytes of the day'],
  ]),
  ...of(receiving('backfills/backfill'), 'services/mail/src/receiving/backfills/backfill.test.ts', [
    ['new Date(dayAt(moment, zone))', 'moment', 'by days in the time zone of the office'],
    [' && day < nextMonth(month)', '', 'by days in the time zone of the office'],
    ['day >= month && ', '', 'not within another month'],
  ]),
  ...of(receiving('mailboxes/mailbox-sync.service'), withServer('backfill'), [
    ['await timeZoneOf(mailbox.customerId)', "'UTC'", 'begins with a day in the time zone'],
  ]),
  ...of(receiving('mailboxes/receiving-mailbox'), 'services/mail/src/receiving/mailboxes/receiving-mailbox.test.ts', [
    ['00:00:00`, zone)', "00:00:00`, 'UTC')", 'in the time zone of its office'],
  ]),
  ...of(receiving('mailboxes/mailbox-health.repository'), test('mailboxes/mailbox-health'), [
    [
      'SET last_error = NULL, failures = 0, refused_logins = 0, refused_since = NULL, last_fetch_at',
      'SET last_fetch_at',
      'a success clears the failures of its mailbox alone',
    ],
    ['refused_logins = 0, refused_since = NULL, last_fetch_at', 'last_fetch_at', 'a success clears the failures of its mailbox alone'],
    ["state: 'active' }", '}', 'a mailbox that was paused meanwhile'],
    ['FOR UPDATE`', '`', 'a mailbox that its owner corrects at'],
    [
      'await outbox(tx, mailboxTopic, { id, customerId, userId, revision: BigInt(version) })',
      '',
      'the fifth refused login stops a mailbox',
    ],
    ['if (stops) await stop(', 'if (false) await stop(', 'stopped by the fifth time', withServer('refused-logins')],
  ]),
  ...of(
    'services/cases-and-counters/src/service-notices/mailbox.consumer.ts',
    'services/cases-and-counters/test/live/service-notices.test.ts',
    [
      ["noticesTo('mail_error', userId)", '[]', 'a stopped mailbox notifies its owner'],
      ['version: Number(revision)', 'version: 1', 'a stopped mailbox notifies its owner'],
    ],
  ),
  ...of(receiving('mailboxes/mailbox-sync.service'), withServer('receiving'), [
    ['!isConnected && lastedMs < intervalMs', '!isConnected', 'is received again at once when its'],
    ['!isConnected && lastedMs < intervalMs', 'false', 'counts a failure when its server ends'],
    ['await folderSync.remove(run, folder)', '{}', 'keeps the messages of a folder that'],
    ['!source.isThere(path)', 'source.isThere(path)', 'keeps the messages of a folder that'],
  ]),
  ...of(receiving('folders/remote-folder'), withServer('receiving'), [
    ['  !folder.isWaiting &&\n', '', 'synchronises read flags in both directions'],
  ]),
  ...of(receiving('folders/folder-sync.service'), withServer('receiving-flags'), [
    ['state.highestModseq === null ? isCompareDue(folder) : ', '', 'a flag that was set on a server without'],
  ]),
  ...of(receiving('folders/folder-sync.service'), withServer('receiving'), [
    ['      await writeFlags(work)\n', '', 'synchronises read flags in both directions'],
    ['await readFlags(work, folder.highestModseq)', '{}', 'synchronises read flags in both directions'],
    [' : folders.forget(tx, folder, uids)', ' : Promise.resolve()', 'keeps a message that is deleted on'],
  ]),
  ...of(receiving('folders/remote-folder.repository'), test('mailboxes/changed-mailboxes'), [
    ['if (same.length === 0) return false', '', 'a mailbox that gets another login before'],
    [' FOR SHARE`', '`', 'a mailbox whose new login is not yet'],
    [' AND user_login = ${account.userLogin}', '', 'a mailbox that gets another login before'],
  ]),
  ...of(receiving('mailboxes/mailbox-sync.service'), test('mailboxes/changed-mailboxes'), [
    [
      'if (!(await folderSync.sync(run, receiving, source, state))) return false',
      'await folderSync.sync(run, receiving, source, state)',
      'while it is received stores no more messages of',
    ],
  ]),
  ...of(receiving('folders/remote-folder.repository'), test('receiving/remote-folders'), [
    [
      '({ customerId, mailServerId, path, specialUse, uidValidity })',
      '({ customerId, mailServerId, path, specialUse })',
      'begins again when the server renumbers',
    ],
  ]),
  ...of(receiving('folders/resync.repository'), test('mailboxes/mail-servers.api'), [
    ['await tx.remoteFolder.deleteMany({ where: { customerId, mailServerId } })', '', 'deletes the cursors of a mailbox'],
  ]),
  ...of(receiving('folders/resync.repository'), withServer('receiving'), [
    ['data: { uidNext: null, highestModseq: null, comparedAt: null }', 'data: {}', 'is compared completely with its server by a resync'],
  ]),
  ...of(receiving('messages/batch-commit.service'), withServer('receiving'), [
    ['await commitEach(work, outcome)', 'throw error', 'records a message that cannot be stored'],
  ]),
  ...of(receiving('messages/ahead'), 'services/mail/src/receiving/messages/ahead.test.ts', [
    ['begun.catch(() => undefined)', '', 'throws an error after every value'],
    ['      next = begin()\n      yield value', '      yield value\n      next = begin()', 'begins the next value'],
    ['values.return?.().catch(() => undefined)', '', 'ends with the work'],
  ]),
  ...of(receiving('messages/message-download.service'), test('receiving/message-fetch'), [
    ['wanted.filter((_, at) => !arrived[at])', '[]', 'are recorded as failed where the server'],
  ]),
  ...of('services/mail/src/parsing/parsing-worker.client.ts', test('parsing/mail-parser-texts'), [
    ['Object.assign(new MailParser(options), { textToHtml })', 'new MailParser(options)', 'text parts beside HTML are all shown'],
    ["html.replace(textsAsHtml, '')", 'html', 'text parts beside HTML are all shown'],
    ["isTextOfHtml || text.trim() === ''", 'isTextOfHtml', 'HTML that is the only text of a multipart'],
  ]),
  ...of('services/mail/src/parsing/worker/undeclared-charset.client.ts', test('parsing/mail-parser-raw-bytes'), [
    ['charsetOf(bytes) ?? charset()', 'charset()', 'of a text that names no charset'],
    ['charsetOf(bytes) ?? charset()', 'charsetOf(bytes)', 'of a text that names no charset'],
    ['isUtf8(bytes) ? undefined : (', '(', 'is UTF-8 where it is valid UTF-8'],
  ]),
  ...of('services/mail/src/parsing/threaded-mail-parser.client.ts', test('parsing/mail-parser'), [
    [', ownMemoryOf(source))', ')', 'transfers the memory of a message only'],
  ]),
  ...of(receiving('messages/message-fetch.service'), withServer('receiving-pop3'), [
    ['...(uidl !== undefined && { uidl })', '', 'records a message that cannot be stored'],
  ]),
  ...of(receiving('folders/remote-folder.repository'), withServer('receiving-pop3'), [
    ['[...failures, ...places]', '[...places]', 'records a message that cannot be stored'],
  ]),
  ...of(receiving('backfills/backfill.service'), 'services/mail/test/receiving/backfill-progress.test.ts', [
    ['uid > begin && ', '', 'a backfill that is killed after any'],
    ['cursor: (uid: bigint) => withRead(readOf(run), folder, uid)', 'cursor: () => null', 'a backfill that is killed after any'],
    ['run.checkpoint(read, (tx) => backfills.goOn', 'run.checkpoint(null, (tx) => backfills.goOn', 'a backfill that is killed after any'],
    ['work.run.checkpoint(read, ', 'work.run.checkpoint(null, ', 'a backfill that is killed after any'],
  ]),
  ...of(receiving('backfills/backfill.service'), withServer('backfill'), [
    [', read: readOf(run) }', ', read: {} }', 'that has used up the bytes of the day'],
    ['if (!(await backfills.find(task.customerId, task.id))) return', '', 'that is cancelled while it runs stores nothing more'],
    ['else if (await source.select(state.path)) return null', '', 'that is given before its mailbox was'],
    ['&& one.folder.system === task.folder', '', 'leaves out messages that belong to another folder'],
    ['isWithin(internalDate, task, task.zone)', "isWithin(internalDate, task, 'UTC')", 'begins with a day in the time zone'],
  ]),
  ...of('services/mail/src/mail-commands/mail-command.repository.ts', test('messages/mail-commands.api'), [
    ['throw couldNotEnqueue(error)', 'throw error', 'that cannot be enqueued is refused'],
  ]),
  ...of('services/mail/src/mail-connections/pop3-replies.ts', 'services/mail/src/mail-connections/pop3-replies.test.ts', [
    ['parts.push(bytes.subarray(from, at + lineEnd.length))', 'parts.push(bytes.subarray(from, at + stuffed.length))', 'byte for byte'],
    ['if (lineEnd.subarray(0, after.length).equals(after))', 'if (false)', 'byte for byte'],
  ]),
  ...of('services/mail/src/mail-connections/pop3-session.client.ts', source, [
    ["if (bytes > maxBytes) throw new MailConnectionError('protocol')", '', 'that gives more bytes than it has said is left'],
    ['|| isAnswering)', ')', 'gets no command while bytes of a message'],
  ]),
  ...of(receiving('folders/folder-sync.service'), 'services/mail/test/receiving/unusual-imap-servers.test.ts', [
    ['if (!(await source.setSeen(chunk, seen))) break', 'await source.setSeen(chunk, seen)', 'stays as it was set here'],
  ]),
  ...of(receiving('sources/pop3-mailbox-source.client'), source, [
    ['known.uids.get(uidl) ?? ++lastUid', '++lastUid', 'keep their assigned UIDs, and new ones'],
    ['if (taken.has(uidl)) continue', '', 'with the same unique id count as one'],
    ['const uidl = uidlOf(id)', 'const uidl = id', 'have an id of another form where that'],
    ['return message && (await headOf(message))', 'return null', 'have headers also where the server'],
    ['`${serverAddress} ${userLogin}`', 'serverAddress', 'have another UIDVALIDITY with another'],
    ['if (!header) continue', 'if (!header) break', 'that are gone are left out'],
  ]),
  ...of(receiving('sources/received-date'), 'services/mail/src/receiving/sources/received-date.test.ts', [
    ['stated && stated < now ? stated : now', 'stated ?? now', 'now where the date is in the future'],
    ["field(text, 'Received')?.split(';').at(-1)", 'undefined', 'in the first Received'],
  ]),
  ...of(receiving('messages/message-store.service'), test('receiving/message-store'), [
    ['chunk.copy(bytes, at)', 'chunk.copy(bytes)', 'a streamed message reaches the parser'],
    ['Buffer.allocUnsafeSlow(size)', 'Buffer.allocUnsafeSlow(size + 1)', 'a streamed message reaches the parser'],
  ]),
  ...of(receiving('messages/message-store.service'), test('receiving/pop3-sizes'), [
    ['return { blobKey, sha256, size: source.byteLength,', 'return { blobKey, sha256, size: 7,', 'a message whose server reports a wrong'],
  ]),
  ...of('services/mail/src/mailbox-safety/forgotten-mailbox.repository.ts', test('upkeep'), [
    ["WHERE state = 'active' AND", 'WHERE', 'gets none when it sends, is paused, or was stopped'],
    [' AND server_protocol IN (${protocols.imap}, ${protocols.pop3})', '', 'gets none when it sends, is paused, or was stopped'],
    ['WHERE id::text NOT IN (SELECT key FROM unfinished)', 'WHERE false', 'gets one again, when it is received over'],
  ]),
  ...of('packages/kit/src/blobs/sweep.ts', test('upkeep'), [['if (!known.has(key)) await', 'await', 'stay as long as their message']]),
  ...of(receiving('messages/sweep.job'), test('upkeep'), [
    ['const graceMs = 24 * hourMs', 'const graceMs = 0', 'when they are older than a day'],
  ]),
  ...of('services/mail/src/received-messages/trace-retention.ts', test('upkeep'), [
    ['days * dayMs', '2 * days * dayMs', 'a trace is deleted after its retention'],
    ['days === 0 ? [] :', 'days !== 0 ? [] :', 'a trace is deleted after its retention'],
  ]),
  ...of(receiving('messages/stored-message.repository'), test('upkeep'), [
    ['where: { ...keys, removed: false }', 'where: keys', 'go when it was removed for good'],
    ['where: { ...keys, message: { removed: false } }', 'where: keys', 'go when it was removed for good'],
  ]),
  ...of(receiving('mailboxes/mailbox-state.repository'), test('mailboxes/mailbox-metrics'), [
    ['WHERE server_protocol = ANY (${receiving}::int[])', 'WHERE array_length(${receiving}::int[], 1) = 2', 'those that send are not'],
    ['ELSE greatest(last_fetch_at, modified)', 'ELSE coalesce(last_fetch_at, created)', 'the oldest complete run is shown for'],
  ]),
  ...of('services/mail/src/folder-counts/folder-recount.repository.ts', test('folders/folder-recount'), [
    ['await change(tx, customerId, there)', '', 'repairs and publishes counts'],
    ['await begin(tx, customerId,', 'void (tx, customerId,', 'without a count are found, and get one'],
    ['await end(tx, customerId, folderId)', '', 'that were deleted lose their count, even if it was'],
    ['if (repair) await', 'await', 'finds counts that are too low or too'],
    ["pg_advisory_xact_lock(hashtextextended('folder_counts', ${customerId}))", '1', 'repairs once when two recounts run'],
  ]),
  ...of('services/mail/src/parsing/threaded-mail-parser.client.ts', test('parsing/mail-parser'), [
    ['key === name.toLowerCase() ? value', 'key === name ? value', 'reads headers alone'],
    ['dateMs === null ? null : new Date(dateMs)', 'new Date(dateMs ?? 0)', 'has no date where none can be read'],
    ['autoKind: autoKindOf(headersOf(read))', 'autoKind: null', 'reads a message'],
  ]),
  ...of('services/mail/src/received-messages/arrivals/arrival.repository.ts', 'services/mail/test/receiving/partial-messages.test.ts', [
    ['AND (arrived.partial OR message.partial)', '', 'is stored beside different whole messages'],
    ['AND (arrived.partial OR message.partial)', 'AND arrived.partial', 'is recognised where it'],
    [' AND arrived.size = message.size', '', 'with another size, date of arrival'],
    [' AND arrived.at = message.timestamp', '', 'with another size, date of arrival'],
  ]),
  ...of('services/mail/src/attachments/attachment.service.ts', 'services/mail/test/receiving/partial-messages.test.ts', [
    ['if (message.partial) throw attachmentsNotDownloaded()', '', 'neither its source nor its attachments'],
  ]),
  ...of('services/mail/src/received-messages/message-bytes.routes.ts', 'services/mail/test/receiving/partial-messages.test.ts', [
    ['if (message.partial) throw attachmentsNotDownloaded()', '', 'neither its source nor its attachments'],
  ]),
  ...of('services/mail/src/receiving/sources/text-of-message.ts', 'services/mail/src/receiving/sources/text-of-message.test.ts', [
    ["if (disposition.toLowerCase() !== 'inline') return false", '', 'is fetched without the files'],
    ['size <= maxWithin', 'true', 'is fetched without the files'],
    ["|| message.type === 'multipart/report'", '', 'is the whole message'],
    ['(leaf.size ?? 0) > maxText', 'false', 'is the whole message'],
    ['if (sections.some((name) => !fetched.has(name))) return undefined', '', 'where the server does not send a section'],
  ]),
  ...of('services/mail/src/receiving/messages/message-download.service.ts', withServer('partial-messages'), [
    ['mailbox.downloadAttachments || wanted', 'wanted', 'keeps messages that are stored whole'],
    ['size: one.message.size, partial: true', 'partial: true', 'stores nothing twice when the server'],
    ['one.size === 0 ? { ...one, size: sizes.next().value ?? 0 } : one', 'one', 'the names and sizes'],
  ]),
]
