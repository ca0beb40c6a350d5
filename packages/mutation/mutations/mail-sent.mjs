import { of } from './of.mjs'

const mail = (name) => `services/mail/test/${name}.test.ts`
const source = (file) => `services/mail/src/${file}`

/** Messages that people write: their moves, their bytes, and what answers them. */
export default [
  ...of(source('sent-messages/sent-message.ts'), mail('sending/queued-messages.api'), [
    ['  [processing]: [],\n', '  [processing]: [draft, queued],\n', 'has one winner among fifty requests'],
    ['  [done]: [],\n', '  [done]: [done],\n', 'refuses every change of a message in the state'],
    ["if (status === processing) return 'refused'", '', 'is refused while the message is being sent'],
    ['return status === queued ? draft : (status as State)', 'return status as State', 'keeps a queued message from being sent'],
    ['sendAt !== null && sendAt > now', 'sendAt !== null', 'waits until `send_at`'],
  ]),
  ...of(source('sent-messages/sent-message.repository.ts'), mail('sending/sent-messages.api'), [
    ['if (version !== before.version) return false', '', 'loses neither of two concurrent changes'],
    ['fence: { increment: 1 } } as const', '} as const', 'queues a failed message again, for', mail('sending/queued-messages.api')],
    ['unreachableSince: null, ', '', 'whose server is unavailable for a day', mail('sending/sending-mailboxes')],
    [
      "if (before !== 'TRASH') throw messageNotInTrash()",
      '',
      'restores a message that was deleted in the state',
      mail('sending/queued-messages.api'),
    ],
    [
      'deltasOf(null, counted({ userId, folderName }))',
      '[]',
      'restores a message that was deleted in the state',
      mail('sending/queued-messages.api'),
    ],
    [
      'deltasOf(before && counted({ userId, folderName: before }), counted({ userId, ...after }))',
      '[]',
      'counts the drafts',
      mail('sending/queued-messages.api'),
    ],
  ]),
  ...of(source('sent-messages/sent-recipient.ts'), mail('sending/sent-messages.api'), [
    [
      "states.get(addressKey(address)) ?? 'pending'",
      "'pending'",
      'queues a failed message again, for',
      mail('sending/queued-messages.api'),
    ],
    ['names !== undefined && names.length !== addresses.length', 'false', 'is refused'],
    [
      'addresses: addresses ?? stored',
      'addresses: addresses ?? []',
      'changes names or addresses alone',
      mail('sending/sent-recipients.api'),
    ],
    [
      'names ? names[at] : known.get(addressKey(address))',
      'names?.[at]',
      'changes names or addresses alone',
      mail('sending/sent-recipients.api'),
    ],
  ]),
  ...of(source('sent-messages/written-message.service.ts'), mail('sending/sent-messages.api'), [
    ['found?.userId === caller.userId && found.serverProtocol', 'found?.serverProtocol', 'needs an SMTP server of the caller'],
    ['found.serverProtocol === protocols.smtp ? found', 'true ? found', 'needs an SMTP server of the caller'],
    ["{ status: 'must be 0 or 4' }", '{}', 'is refused', mail('sending/queued-messages.api')],
    ['wrongTogether(before, withAddresses(sent))', '{}', 'reports all invalid fields at once'],
    ['withAddresses(sent)', 'sent', 'is refused'],
    ['isQueued || mailServerId !== before?.mailServerId', 'true', 'can be changed, and sent from another one'],
    ['length > maxRecipients', 'false', 'accepts a hundred recipients and no more', mail('sending/sent-recipients.api')],
  ]),
  ...of(source('sent-messages/written-message.service.ts'), mail('sending/composed-messages.api'), [
    ["heads.some(({ head }) => head === 'missing')", 'false', 'that the office does not have'],
    ["heads.some(({ head }) => head === 'not-clean')", 'false', 'that are not clean'],
    ['size <= maxAttachedBytes', 'true', 'are limited in their total size'],
  ]),
  ...of(source('sent-messages/sent-message.service.ts'), mail('messages/records-sent-back.api'), [
    [
      'fieldErrors(caller, changedFields(before, sent), before)',
      'fieldErrors(caller, sent, before)',
      'can be changed, and sent from another one',
      mail('sending/sent-messages.api'),
    ],
    ['judge(caller, before, changedFields(before, changes))', 'judge(caller, before, changes)', 'a failed message'],
    ['sendAt: laterThan(new Date(), before.sendAt) }', 'sendAt: before.sendAt }', 'whose send_at is past'],
  ]),
  ...of(source('composition/nodemailer-message-composer.client.ts'), mail('sending/composition'), [
    ["content.on('error', (error) => content.destroy(error))", '', 'read after the error of an attachment'],
  ]),
  ...of(source('sent-messages/sent-message.service.ts'), mail('sending/vanishing-files.api'), [
    ['await judgeAgain()', '', 'is refused like one that was so before'],
  ]),
  ...of(source('mail-html/mail-html.ts'), mail('messages/records-sent-back.api'), [
    ['Buffer.byteLength(sanitised) > maxStoredBytes', 'false', 'after it is sanitised is refused'],
  ]),
  ...of(source('sent-messages/sent-message.service.ts'), mail('sending/signatures.api'), [
    ["message.addSignature ? mailbox.signature : ''", 'mailbox.signature', 'leaves it out on request, also when'],
  ]),
  ...of(source('mail-servers/mail-server.service.ts'), mail('sending/signatures.api'), [
    ['signature: sanitise(sent.signature)', 'signature: sent.signature', 'is sanitised when it is created or changed'],
  ]),
  ...of(source('sent-messages/written-message.ts'), mail('sending/signatures.api'), [
    ['message.addSignature, message.replyToMessageId', 'message.replyToMessageId', 'leaves it out on request, also when'],
  ]),
  ...of(source('sent-messages/sent-message.service.ts'), mail('sending/composed-messages.api'), [
    ['had ?? ids.make', 'ids.make', 'with the same Message-ID'],
    ['  before.status !== states.draft &&\n', '', 'is composed again after it was in TRASH'],
    ['isDeepStrictEqual(contentOf(before), contentOf(after))', 'true', 'is composed again'],
  ]),
  ...of(source('composition/dkim-key.ts'), mail('sending/dkim'), [
    ['key.customerId === customerId && key.domain === domain', 'key.domain === domain', 'of another office that uses the domain'],
    ['key.domain === domain)', 'domain.endsWith(key.domain))', 'from another domain is not'],
  ]),
  ...of(source('composition/dkim-keys.client.ts'), mail('sending/dkim'), [
    ["key?.asymmetricKeyType !== 'rsa' || bits < leastBits", "key?.asymmetricKeyType !== 'rsa'", 'is refused with'],
    ['if (twin)', 'if (false)', 'is refused with two keys'],
  ]),
  ...of(source('composition/nodemailer-message-composer.client.ts'), mail('sending/composition'), [
    ["html: html.replace(imageWithoutData, '$1')", 'html', 'an image without data is dropped'],
    ["text.replaceAll('=?', '= ?')", 'text', 'recipients are exactly those requested'],
    ['limits: { maxDepth }', '', 'HTML of any depth'],
  ]),
  ...of(source('composition/message-id.ts'), mail('messages/conversations-of-cases'), [
    ['signatures(unique, customerId).some((each) => timingSafeEqual(each, sent))', 'true', 'where the Message-ID is forged'],
    ['`${customerId} ${unique}`', '`${unique}`', 'where the Message-ID is forged'],
  ]),
  ...of(source('linked-cases/linked-case.repository.ts'), mail('messages/conversations-of-cases'), [
    ['AND mail_threads.id = begun.id AND mail_threads.issue_id IS NULL', 'AND mail_threads.id = begun.id', 'stays in the case'],
  ]),
  ...of(source('folder-counts/folder-recount.repository.ts'), mail('folders/folder-recount'), [
    ['TABLE received UNION ALL TABLE written UNION', 'TABLE received UNION', 'finds nothing where every count is right'],
  ]),
  ...of(source('receiving/messages/stored-message.repository.ts'), mail('upkeep'), [
    ['...attachments, ...written]', '...attachments]', 'of sent messages stay as long as the message'],
  ]),
  ...of(source('mail-sentences/mail-sentence.service.ts'), mail('sending/unsent-sentences'), [
    ['userId === authorId || (await hasRight({ customerId, userId }, rightToRead))', 'true', 'whose owner may not read what others write'],
  ]),
  ...of('services/mail/src/bounces/bounce.repository.ts', 'services/mail/test/receiving/bounces.test.ts', [
    ['await link(tx, mailbox, reportId, sent.id)', '', 'marks the recipient as failed'],
    ['named.filter((id) => ids.isOf(id, customerId))', '[...named]', 'changes nothing when it is forged'],
    ['AND lower(server.user_email) = lower(${address})', 'AND ${address} <> chr(1)', 'changes nothing in a mailbox that has not sent'],
    ['|| !(before[report.state] as readonly string[]).includes(state)', '', 'that arrives twice, or about the same'],
    ['      await outbox(tx', '      if (false) await outbox(tx', 'about another recipient notifies the author again'],
    ['!isOver(sent.status)', 'false', 'changes the recipient, and leaves the'],
    [
      "delivered: ['pending', 'accepted', 'delayed'],",
      "delivered: ['pending', 'accepted', 'delayed', 'failed'],",
      'that arrives after a final one changes nothing',
    ],
  ]),
  ...of(source('sent-messages/written-message.ts'), 'services/mail/src/sent-messages/written-message.test.ts', [
    ["answered?.inReplyToMsgUid || ''", "''", 'where that has no references'],
  ]),
  ...of(source('mail-templates/mail-template.service.ts'), mail('sending/mail-templates.api'), [
    ['wrong(template.mailBody)]', 'wrong(sent.mailBody)]', 'are validated as they are stored: sanitising'],
    ['(await cases.isSeen(caller, issueId)) ?', 'true ?', 'shows to others alone'],
    ['clientId != null && !client', 'false', 'is 400 for a client or a case'],
    ['issueId != null && !issue', 'false', 'is 400 for a client or a case'],
    ['named ?? (ofCase &&', '(ofCase &&', 'unless another one is named'],
    ['sanitiseFilled(language.render(', '(language.render(', 'has links to values that are addresses'],
    ["render(mailBody, values, 'html')", "render(mailBody, values, 'plain')", 'escapes the name of a client'],
    ["render(mailSubject, values, 'plain')", "render(mailSubject, values, 'html')", 'has the names of the client'],
  ]),
  ...of(source('mail-templates/mustache-templates.client.ts'), mail('sending/mail-templates.api'), [
    ["type === 'name' && name !== ''", "type === 'name' || type === '&'", 'are 400 with '],
  ]),
  ...of(source('mail-templates/mail-template.ts'), mail('sending/mail-templates.api'), [['!names.has(name)', 'false', 'are 400 with ']]),
]
