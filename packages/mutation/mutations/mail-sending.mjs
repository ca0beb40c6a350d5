import { of } from './of.mjs'

const sending = (name) => `services/mail/src/sending/${name}.ts`
const connections = (name) => `services/mail/src/mail-connections/${name}.ts`
const test = (name) => `services/mail/test/${name}.test.ts`
/** With a real Dovecot. */
const copies = 'services/mail/test/mail/sent-copies.mail-test.ts'

/** What sends messages, up to a point of no return. */
export default [
  ...of(connections('smtp-session.client'), test('sending/smtp-session'), [
    ["if (!hasEnd) throw new MailConnectionError('protocol')", '', 'is not one'],
    ['if (hasEnd) throw new DeliveryUncertain()', '', 'is not one'],
    ['before.find((one) => one.address === address) ??', '', 'keeps the answers for the recipients'],
    ["command === 'MAIL FROM' ? [] : notTaken", 'notTaken', 'fails at once when the server refuses it', test('sending/sending')],
    [
      "if (connection.destroyed) throw new MailConnectionError('connect')",
      '',
      'is not sent when the connection was',
      test('sending/smtp-end-of-message'),
    ],
    ['if (bytes !== sizeBytes) throw', 'if (false) throw', 'is not sent when the content has', test('sending/smtp-end-of-message')],
    ['beforeDot(notTakenOf(connection))', 'beforeDot([])', 'is answered for each recipient'],
    ['if (hasEnd) return\n', '', 'is not sent when the signal is aborted', test('sending/smtp-end-of-message')],
  ]),
  ...of(connections('smtp-pool.client'), test('sending/smtp-pool'), [
    ['if (had && isDeepStrictEqual(had.of, of)) return had.pool', 'if (had) return had.pool', 'are not reused with'],
    ['propagateCreateError: true', 'propagateCreateError: false', 'report to everybody who waits why they'],
  ]),
  ...of(connections('smtp-reply'), test('sending/smtp-session'), [
    ['.slice(0, maxCharacters)', '', 'and no more than 500 characters'],
    ["replaceAll(gaps, ' ')", "replaceAll('x', 'x')", 'keeps the reply of the server as one'],
  ]),
  ...of(sending('attempt'), 'services/mail/src/sending/attempt.test.ts', [
    ['pauses[attempts - 1]', 'pauses[0]', 'is tried for a day'],
    ['open || refused ?', 'open ?', 'somebody will not have it'],
  ]),
  ...of(sending('queued-message.repository'), test('sending/sending-mailboxes'), [
    [
      'CASE WHEN unreachable_since <= now() - ${unreachableFor}::interval THEN',
      'CASE WHEN false THEN',
      'whose server is unavailable for a day',
    ],
    ['unreachable_since = coalesce(unreachable_since, now())', 'unreachable_since = now()', 'whose server is unavailable for a day'],
    [
      'THEN ${states.failed}::int ELSE status END',
      "THEN ${states.failed}::int WHEN unreachable_since <= now() - interval '12 hours' THEN ${states.failed}::int ELSE status END",
      'whose server is unavailable for a day',
    ],
    ['data: { unreachableSince: null } })', 'data: {} })', 'whose server is unavailable gets another'],
    ["await fail({ phase: 'dot' }, uncertainText)", '', 'leaves a message whose end was sent uncertain'],
  ]),
  ...of(sending('transmission.repository'), test('sending/sending-fence'), [
    [
      'attempts = attempts + 1, unreachable_since = NULL',
      'attempts = attempts + 1',
      'is not sent again to accepted recipients',
      test('sending/sending'),
    ],
    ['      unreachable_since = NULL, phase', '      phase', 'whose server is unavailable for a day', test('sending/sending-mailboxes')],
    [
      'mustHold(await commit({ claim, notTaken }))',
      'void (await commit({ claim, notTaken }))',
      'does not send its end, and changes nothing',
    ],
    ['mustHold(await commit({ claim, answers }))', 'void (await commit({ claim, answers }))', 'writes no answer after another process'],
    ['db.batch(office(customerId), lock({ customerId, claims }))', 'undefined', 'keep the state that a delivery report gives'],
    ["recipient.state NOT IN ('pending', 'deferred')", 'false', 'keep the state that a delivery report gives'],
    [
      ' AND message.fence = claim.fence\n      AND customer_id = ${param(({ customerId }) => customerId)} AND status = ${states.processing} AND phase',
      '\n      AND customer_id = ${param(({ customerId }) => customerId)} AND status = ${states.processing} AND phase',
      'are written where the claim still holds',
    ],
    [
      ' AND message.fence = claim.fence\n      AND customer_id = ${param(({ customerId }) => customerId)} AND status = ${states.processing} AND NOT EXISTS',
      '\n      AND customer_id = ${param(({ customerId }) => customerId)} AND status = ${states.processing} AND NOT EXISTS',
      'are written where the claim still holds',
    ],
    [
      'JOIN mail_sent_messages AS message USING (id, fence)',
      'JOIN mail_sent_messages AS message USING (id)',
      'are written where the claim still holds',
    ],
    ['AS claim (id, fence) USING (id, fence)', 'AS claim (id, fence) USING (id)', 'are written where the claim still holds'],
  ]),
  ...of(sending('queued-message.repository'), test('sending/sending'), [
    [
      "status: states.processing, phase: 'claimed' }\n      const",
      "status: states.processing, phase: 'none' }\n      const",
      'a message that a killed run had claimed',
    ],
    [
      "AND coalesce(send_at, '-infinity') <= now() AND coalesce(next_attempt_at, '-infinity') <= now()\n            AND NOT EXISTS",
      'AND NOT EXISTS',
      'until `send_at` is not sent earlier',
    ],
  ]),
  ...of(sending('queued-message.repository'), test('sending/sending-fence'), [
    [
      'afterAttempt(now, recipients as readonly Tried[], attempts + 1)',
      'afterAttempt(now, [], attempts + 1)',
      'has failed where the state of a recipient is',
    ],
    ["{ ...ofMessage, state: 'pending' }", '{ ...ofMessage, state: toTry }', 'was delivered to the accepted recipients'],
  ]),
  ...of(sending('queued-message.repository'), test('sending/sending-queue'), [
    ['            AND NOT EXISTS (SELECT FROM customers WHERE id = ${customerId} AND closed)\n', '', 'of a closed office gets none'],
  ]),
  ...of(sending('changed-states.repository'), test('sending/sending'), [
    ['if (status === states.failed) await outbox(', 'if (false) await outbox(', 'fails at once when the server refuses it'],
  ]),
  ...of('services/mail/src/mailbox-safety/forgotten-mailbox.repository.ts', test('sending/sending-queue'), [
    ["OR server.state = 'active' OR", 'OR true OR', 'gets none when nothing waits there, or it does not send'],
    [' OR message.status = 1 OR', ' OR', 'gets one for a message in transmission'],
    ["interval '${unreachableFor}'", "interval '1 hour'", 'that was stopped gets one'],
    [' OR server.server_protocol <> ${protocols.smtp}', '', 'that receives now gets one'],
  ]),
  ...of(sending('sending-queue.repository'), test('sending/sending-queue'), [
    ["WHEN server.state <> 'active' THEN 'stopped'", '', 'are counted by state'],
    ['min(greatest(message.send_at, message.modified))', 'min(message.modified)', 'are counted by state'],
  ]),
  ...of(sending('sending.service'), test('sending/sending-queue'), [
    ["if (sender.state === 'auth_failed') await", 'if (false) await', 'that was stopped gets one'],
  ]),
  ...of(sending('sending.service'), test('sending/sending-slow-answers'), [
    ['maxPerHour - count - unsettled', 'maxPerHour - count', 'within the hourly limit'],
    ['!isDeepStrictEqual(await mailboxes.toOpen(mailbox.customerId, mailbox.id), mailbox)', 'false', 'that was paused sends nothing more'],
  ]),
  ...of(sending('sending.service'), test('sending/sending'), [['maxPerRun - sent, ', '', 'is sent by another run']]),
  ...of(sending('shared-claims'), 'services/mail/src/sending/shared-claims.test.ts', [
    ['if (message || unsettled === 0) return message', 'return message', 'go on for a session'],
    ['claiming ??= claimMore', 'claiming = claimMore', 'are made once'],
    ['if (isStopped) return undefined', '', 'where the fault occurs during a claim'],
    ['isStopped = true', 'isStopped = false', 'end with a fault'],
    ['      unsettled--\n', '', 'are over when none is due'],
  ]),
  ...of(sending('transmission.repository'), test('sending/sending-fence'), [
    ['isLost ? []', 'false ? []', 'does not end before the answer to the one before'],
  ]),
  ...of(sending('sending.service'), test('sending/sending-mailboxes'), [
    ['maxPerHour - count - unsettled', 'maxClaimed', 'sends its hourly limit of messages'],
  ]),
  ...of(sending('batch-sending.service'), test('sending/sending-mailboxes'), [
    ['shared.giveBack(current)', 'shared.stop(current)', 'whose server accepts fewer connections'],
    ['if (fault || unsent.length > 0) throw', 'if (fault) throw', 'whose server is unavailable keeps its'],
    ['failed.length === 0 ? sessions : 0', 'sessions', 'is stopped when its login was refused five times'],
    [
      'else if (isOpen && error instanceof MailConnectionError)',
      'else if (false)',
      'that ends the connection is tried later',
      test('sending/sending'),
    ],
  ]),
  ...of(sending('uncertain-message.service'), copies, [
    ['if (mayBeFiled && !isFiled && one.ageMs < filedWithinMs) continue', '', 'is looked for until the server has had time to file it'],
    ['isFiled ? undefined : uncertainText', 'uncertainText', 'was delivered when the server has filed it'],
  ]),
  ...of(sending('uncertain-message.service'), copies, [
    ['partner?.isActive ?', 'partner ?', 'is not looked for on a server that is paused'],
  ]),
  ...of(sending('sent-copy.service'), copies, [
    ['(await folder.has(messageId)) ? undefined :', '', 'is not appended where the server has'],
    ['if (partner && !partner.isActive)', 'if (false)', 'waits for a server that is paused'],
    [
      'if (!isStored) await failed()',
      "if (!isStored) throw new MailConnectionError('protocol')",
      'although the server refuses another message',
    ],
    ['if (error instanceof MailConnectionError) await failed()', '', 'does not block those of other', test('sending/refused-copies')],
  ]),
  ...of(sending('sent-copy.repository'), test('sending/refused-copies'), [
    ['copyDue: true, OR: isNow', 'copyDue: true', 'is tried again once an hour'],
    ['sentAt: { lt: ago(triedForMs) }', 'sentAt: null', 'is tried again once an hour'],
    ['id: { in: [...ids] } }, data: { ...tried(), copyDue', 'id: { in: [...ids] } }, data: { copyDue', 'is not changed by its copy'],
  ]),
  ...of(connections('imap-folders.client'), test('receiving/listed-folders'), [
    ['isSelectable(folder) && isPersonal(this, folder)', 'isSelectable(folder)', 'are not received'],
    ['isSelectable(folder) && isPersonal(this, folder)', 'isPersonal(this, folder)', 'does not have the special use of another'],
  ]),
]
