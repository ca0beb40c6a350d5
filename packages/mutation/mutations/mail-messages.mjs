import { of } from './of.mjs'

const mail = (name) => `services/mail/test/${name}.test.ts`

/** Messages that are received, their folders and counts. */
export default [
  ...of('services/mail/src/mail-folder-rules/mail-folder-rule.repository.ts', mail('folders/mail-folder-rules.api'), [
    ["{} : nonexistent(['mail_folder_id'])", '{} : {}', 'names every wrong field'],
  ]),
  ...of('services/mail/src/mail-servers/mail-server.service.ts', mail('mailboxes/mail-server-fields.api'), [
    ['if (id === undefined) return wrongOfNew(sent)', 'if (id === undefined) return {}', 'is reported for all fields'],
    ['before ? wrongOfChange(before, sent) : {}', '{}', 'is reported for all fields of a change'],
  ]),
  ...of('services/mail/src/mail-folders/mail-folder.repository.ts', 'services/mail/test/folders/mail-folders.api.test.ts', [
    ['await beginCount(tx, customerId, { id, userId })', '', 'is published as 0 with its owner when'],
    ['await endCount(tx, customerId, id)', '', 'is published as 0 with its owner when'],
  ]),
  ...of('services/mail/src/mail-folders/mail-folder.repository.ts', mail('folders/large-folders.api'), [
    ['if (await isLarge(tx, customerId, id)) return', 'if (false) return', 'is gone, with its rules'],
    [', parentId: null }', ' }', 'does not keep the folder around it'],
    ['await tx.mailFolderRule.deleteMany', 'await tx.mailFolderRule.findMany', 'is gone, with its rules'],
    ['await hideCount(tx, customerId, id)', '', 'is gone, with its rules'],
    ['=== chunk) return true', '=== chunk) return false', 'moves all of them'],
    ['skip: chunk,', 'skip: chunk + 1,', 'in a deleted folder none is left behind'],
    ['(user_id IS NULL OR user_id =', '(true OR user_id =', 'does not find a folder of one person'],
  ]),
  ...of('services/mail/src/folder-counts/folder-count.repository.ts', mail('folders/large-folders.api'), [
    ['eventOf(row, removed)),', 'eventOf(row)),', 'still shows and changes its messages'],
  ]),
  ...of('services/mail/src/folder-counts/folder-count-snapshot.repository.ts', mail('folders/large-folders.api'), [
    ['eventOf(row, removed)', 'eventOf(row)', 'is gone, with its rules'],
  ]),
  ...of('services/mail/src/mail-folders/mail-folder.resource.ts', mail('folders/large-folders.api'), [
    ['where: { removed: false },', '', 'is gone, with its rules'],
  ]),
  ...of('services/mail/src/received-messages/arrivals/new-message.repository.ts', mail('folders/large-folders.api'), [
    [' AND NOT removed ORDER BY', ' ORDER BY', 'takes no more messages'],
    ['AND NOT removed ORDER BY id FOR KEY SHARE', 'AND NOT removed', 'takes no message that was on its way'],
  ]),
  ...of(
    'services/cases-and-counters/src/counters/counter.repository.ts',
    'services/cases-and-counters/test/counters/counters.api.test.ts',
    [[".where('removed', '=', false)", '', 'is not shown for a deleted folder']],
  ),
  ...of(
    'services/mail/src/received-messages/received-message.service.ts',
    'services/mail/src/received-messages/received-message.service.test.ts',
    [
      ['? { userId, ...filters }', '? { ...filters, userId }', 'a personal folder of a colleague'],
      ['isPersonal(folderName) ?', 'true ?', 'a folder of the office'],
      ['{ userId, ...filters }', 'filters', 'a personal folder'],
    ],
  ),
  ...of('services/mail/src/received-messages/arrivals/vanished-draft.repository.ts', mail('receiving/vanished-drafts'), [
    ["folder_name = 'DRAFTS' AND NOT removed", 'NOT removed', 'moved out of DRAFTS here stays'],
    ["IS DISTINCT FROM 'trash')", "= 'trash')", 'a draft that has another place on its server stays'],
    ['await changeFolderCounts(tx, customerId, deltas)', '', 'a draft that is gone from its server'],
    ['IS NULL OR uid', 'IS NULL AND uid', 'drafts of a folder that is gone'],
    [
      'AND id = ANY (${messageIds}::bigint[]) ORDER BY id FOR UPDATE',
      'AND id = ANY (${messageIds}::bigint[])',
      'stays in TRASH where a user is moving',
    ],
    ['ORDER BY trace.id DESC', 'ORDER BY trace.id', 'stays in TRASH where a user has moved'],
    ["folder_name = 'TRASH' AND NOT removed", "folder_name = 'TRASH'", 'stays removed where it was removed for good'],
  ]),
  ...of('services/mail/src/received-messages/seen.repository.ts', mail('receiving/seen-messages'), [
    ['SET seen_to_set = message.is_read', 'SET seen_to_set = place.seen_to_set', 'is to be set there where it was set'],
    [' AND place.seen_to_set IS NOT NULL)', ' AND false)', 'is to be set there as at its previous place'],
    ['other.message_id = message.id AND other.seen_to_set IS NULL', 'false', 'is not cleared by a second place where'],
    ['\n        AND place.seen <> said.seen', '', 'stays read however often both are compared'],
  ]),
  ...of('services/mail/src/receiving/folders/remote-folder.repository.ts', mail('receiving/seen-messages'), [
    ['data: { seen, seenToSet: !seen }', 'data: { seen }', 'is to be set there again'],
  ]),
  ...of('services/mail/src/attached-files/linkable-messages.service.ts', 'services/mail/test/messages/linkable-messages.test.ts', [
    ["linker.role === 'client' || ", '', 'to a received message, by whoever sees it'],
    ['!(await sees(linker, id))', 'false', 'to a sent message, by its author alone'],
  ]),
  ...of('services/mail/src/received-messages/received-message.repository.ts', 'services/mail/test/messages/linkable-messages.test.ts', [
    ['id: { in: [...ids] }, removed: false }', 'id: { in: [...ids] } }', 'to one that was removed for good'],
  ]),
  ...of('services/mail/src/received-messages/received-message.repository.ts', mail('messages/moved-messages.api'), [
    ['          blobKey: erasedKey,\n', '', 'moves to TRASH and back, and from TRASH for good'],
  ]),
  ...of('services/mail/src/sent-messages/sent-messages.wiring.ts', 'services/mail/test/messages/linkable-messages.test.ts', [
    ['isMailRole(employee.role) && ', '', 'to a sent message, by its author alone'],
  ]),
  ...of('services/company-card/src/company-cards/linkable-cards.service.ts', 'services/company-card/test/linkable-cards.test.ts', [
    ['!mayUpdate || ', '', 'a file may be attached to a card by everybody who may change the card'],
    [' || !(await hasRight(linker, manageRight))', '', 'a file may be attached to a card by everybody who may change the card'],
  ]),
  ...of('services/mail/src/received-messages/received-message.repository.ts', mail('messages/received-messages.api'), [
    [
      'AND user_id = ${param(({ owner }) => owner.userId)}\n    OR',
      '\n    OR',
      'to the owner of the mailbox',
      mail('messages/visible-messages.api'),
    ],
    [
      'AND (folder.user_id IS NULL OR folder.user_id = ${param(({ owner }) => owner.userId)})',
      '',
      'shows custom folders to their owner',
      mail('messages/visible-messages.api'),
    ],
    ['if (messages.length < ids.length) throw missing()', '', 'changes all of the named messages, or none'],
    ['messages.flatMap((message) => deltasOf(message, after(message)))', '[]', 'marks as read here and on the server, and counts'],
  ]),
  ...of('services/mail/src/received-messages/received-message.service.ts', mail('messages/moved-messages.api'), [
    ['if (isPersonal(system) && !areOwn(reader, moved))', 'if (false)', 'lets nobody hide a message of the office'],
    ['(await keepFolders(tx, reader, [before.custom])).length > 0', 'true', 'restores to OTHERS'],
  ]),
  ...of('services/mail/src/received-messages/arrivals/arrival.repository.ts', mail('receiving/vanished-drafts'), [
    ["place.specialUse !== 'trash'", 'true', 'stays in TRASH where that place is the trash'],
  ]),
  ...of('services/mail/src/received-messages/arrivals/arrival.repository.ts', mail('receiving/intake'), [
    ['await lockMailbox(tx, mailbox)', '', 'stores a message once that arrives'],
  ]),
  ...of('services/mail/src/received-messages/arrivals/new-message.repository.ts', mail('receiving/intake'), [
    ['performance.now() - since < 100', 'true', 'yields to other work while it sanitises much HTML'],
    ['!present.has(folder.custom)', 'false', 'of a folder that was deleted meanwhile'],
    ['!message.silent', 'true', 'not when a backfill stores it', mail('receiving/changed-messages')],
  ]),
  ...of('services/mail/src/received-messages/arrivals/recent-message.repository.ts', mail('folders/mail-folder-rules.api'), [
    ["->> 'by' = 'remote'", "->> 'by' = ''", 'tests which of the last messages of'],
  ]),
  ...of(
    'services/mail/src/received-messages/arrivals/recent-message.service.ts',
    'services/mail/src/received-messages/arrivals/recent-message.service.test.ts',
    [
      ['return block.subarray(0, Math.min(...ends))', 'return block', 'ends at the first empty line'],
      [", '\\n\\n'].map", '].map', 'end with LF alone'],
      ['block = Buffer.concat([block, chunk as Buffer])', 'block = chunk as Buffer', 'split between chunks'],
      ['if (block.byteLength >= limits.headerBytes) break', '', 'read up to its limit'],
    ],
  ),
  ...of('services/mail/src/received-messages/arrivals/new-message.ts', mail('receiving/intake'), [
    ['addressKey(from.address) === addressKey(address)', 'from.address === address', 'comes from the address of the mailbox'],
    ['return kind ?? (', 'return (', 'comes from the address of the mailbox'],
  ]),
  ...of('services/mail/src/received-messages/arrivals/new-message.ts', mail('messages/received-messages.api'), [
    ['[...filenames, text]', '[text, ...filenames]', 'file names also beside a long text'],
  ]),
  ...of('services/mail/src/received-messages/received-message.repository.ts', mail('receiving/changed-messages'), [
    ['folders: [folderOf(message), ...(folder ? [folder] : [])]', 'folders: folder ? [folder] : []', 'moved, and deleted'],
    ['AS place WHERE ${visible(param)}', 'AS place', 'that was moved away or deleted is shown'],
  ]),
  ...of('services/mail/src/changed-messages/messages.grpc.ts', mail('receiving/changed-messages'), [
    ['|| !isMailRole(caller.role)', '', 'is published to its author with each state'],
    ['const { mail_body: _, ...shown } =', 'const shown =', 'is published to its author with each state'],
  ]),
  ...of('services/mail/src/mail-folders/mail-folder.repository.ts', mail('folders/mail-folders.api'), [
    ['if (cyclic) throw folderParent()', '', 'but not into itself'],
    ['above + below > maxDepth', 'above + 1 > maxDepth', 'counts the levels below a folder that moves'],
  ]),
  ...of('services/mail/src/attachments/attachment.service.ts', mail('messages/attachments.api'), [
    ["if (found.virusScanStatus !== 'ok') throw attachmentNotClean()", '', 'is 409 for what is infected'],
    ["status === 'pending' || ", '', 'gives the bytes as a file'],
    ["|| (status === 'ok' && !(await isKept(found)))", '', 'is extracted and scanned again where'],
    ['if ((await blobs.sizeOf(sourceKey)) === undefined) throw messageBytesLost()', '', 'where the storage has lost the message'],
  ]),
  ...of('services/mail/src/attachments/attachment.repository.ts', mail('messages/attachments.api'), [
    [
      "where: { wanted: true, virusScanStatus: 'pending' }",
      "where: { virusScanStatus: 'pending' }",
      'is scanned once, when it is first requested',
    ],
  ]),
  ...of('services/mail/src/attachments/attachment-scan.job.ts', mail('messages/attachments.api'), [
    ["result.status === 'ok' ? { blobKey, size: bytes.length } : undefined", '{ blobKey, size: bytes.length }', 'nothing of it is kept'],
  ]),
  ...of('services/mail/src/attachments/attachment.ts', mail('messages/attachments.api'), [
    ['known ? `attachment.${known}` :', '', 'gives unnamed attachments a name: a'],
    ["mediaType.test(type) ? type : 'application/octet-stream'", 'type', 'replaces an invalid media type'],
  ]),
  ...of('services/mail/src/received-messages/received-message.service.ts', mail('messages/linked-cases.api'), [
    [
      "if (issueId != null && !(await cases.isSeen(caller, issueId))) throw noSuchRecord('issue_id')",
      '',
      'is 400 for a case that the office',
    ],
    ['if (changes.issueId != null) await messages.get(reader, id)', '', 'is 404 for a message that the caller does not see'],
  ]),
  ...of('services/mail/src/linked-cases/linked-case.repository.ts', mail('messages/conversations-of-cases'), [
    ['AND (${issueId}::bigint IS NOT NULL OR issue_id = ANY (${before}::bigint[]))', '', 'stays in it when the first message is taken out'],
  ]),
  ...of('services/mail/src/linked-cases/linked-case.service.ts', mail('messages/linked-cases.api'), [
    ['if (issueId !== null) await enqueueCheck(tx, reader.customerId, issueId)', '', 'is noticed when it was deleted while'],
    ['await rows.begin(tx, reader.customerId, begun)', '', 'is in it again when a message', mail('messages/conversations-of-cases')],
    ['!excluded.includes(specialUse)', 'true', 'nor from a folder of junk', mail('messages/conversations-of-cases')],
  ]),
  ...of('services/mail/src/linked-cases/case-link.job.ts', mail('messages/conversations-of-cases'), [
    ['(await cases.isParty(customerId, issueId, sender))', 'true', 'does not when somebody else has sent it'],
    ["folderName === 'SENT' || ", '', 'does when the owner of the mailbox has sent it'],
  ]),
  ...of('services/mail/src/linked-cases/removed-cases.consumer.ts', mail('messages/linked-cases.api'), [
    ["change?.$case === 'deleted'", 'true', 'is unlinked from its messages and conversations'],
  ]),
  ...of('services/mail/src/senders/sender-row.ts', mail('sending/senders'), [
    ["!deleted && email !== ''", "email !== ''", 'are not known after their deletion'],
    ['kind === ContactKind.PROVIDER_PERSON', 'true', 'of another kind are ignored'],
  ]),
  ...of('services/mail/src/senders/sender-copy.repository.ts', mail('sending/senders'), [
    [`, { only: "kind = 'provider'" }`, '', 'are copied again without clients being forgotten'],
    [`, { only: "kind = 'client'" }`, '', 'are copied again without clients being forgotten'],
    ['AND known AND ${only}', 'AND known', 'senders that their owner has lost are'],
  ]),
  ...of('services/mail/src/senders/office-domain.ts', 'services/mail/src/senders/office-domain.test.ts', [
    ["withParents(domain).some(isPublic) ? '' : domain", 'domain', 'is not '],
    ['withParents(domain).some(isPublic)', 'isPublic(domain)', 'is not '],
    ['domainToASCII(', '(', 'the domain of an address'],
  ]),
  ...of('services/mail/src/senders/sender.repository.ts', mail('sending/senders'), [
    [' || ofOffices.has(domainOf(address))', '', 'is known to every office by its present'],
    [" AND domain <> ''", '', 'is empty with a public mail provider'],
  ]),
  ...of('services/mail/src/config.ts', 'services/mail/src/config.test.ts', [
    ['...s3Rule(values, nameOf), ', '', 'named in part stops the start'],
  ]),
  ...of('services/mail/src/mail-html/nested-html.ts', mail('parsing/mail-html'), [
    ['depth > maxDepth', 'false', 'is shown without its tags where it is nested too deep'],
    ['.length > maxDepth + 1', '.length > Infinity', 'HTML that is nested too deep has a', mail('sending/composition')],
  ]),
  ...of('services/mail/src/mail-html/sanitize-html.client.ts', mail('parsing/mail-html'), [
    ['return embedded.test(address) ? address : undefined', 'return address', 'runs and loads nothing'],
    ['(?!.*(?:url|image|expression|attr|var|env|src))', '', 'runs and loads nothing'],
  ]),
]
