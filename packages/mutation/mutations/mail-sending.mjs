import { of } from './of.mjs'

const sending = (name) => `services/mail/src/sending/${name}.ts`
const connections = (name) => `services/mail/src/mail-connections/${name}.ts`
const test = (name) => `services/mail/test/${name}.test.ts`
/** With a real Dovecot. */
const copies = 'services/mail/test/mail/sent-copies.mail-test.ts'

/** What sends messages, up to a point of no return. */
export default [
  ...of(connections('smtp-session.client'), test('smtp-session'), [
    ["if (!hasEnd) throw new MailConnectionError('protocol')", '', 'is not one'],
    ['if (hasEnd) throw new DeliveryUncertain()', '', 'is not one'],
    [
      "if (connection.destroyed) throw new MailConnectionError('connect')",
      '',
      'is not asked for again when the connection was lost',
      test('smtp-end-of-message'),
    ],
    ['if (bytes !== sizeBytes) throw', 'if (false) throw', 'is not sent when the content has', test('smtp-end-of-message')],
    ['beforeDot(notTakenOf(connection))', 'beforeDot([])', 'is answered for each recipient'],
    ['if (hasEnd) return\n', '', 'when somebody asks for an end before it', test('smtp-end-of-message')],
  ]),
  ...of(connections('smtp-pool.client'), test('smtp-pool'), [
    ['if (had && isDeepStrictEqual(had.of, of)) return had.pool', 'if (had) return had.pool', 'are not used again by'],
    ['propagateCreateError: true', 'propagateCreateError: false', 'say why they cannot be opened'],
  ]),
  ...of(connections('smtp-reply'), test('smtp-session'), [
    ['.slice(0, most)', '', 'and no more than 500 characters'],
    ["replaceAll(gaps, ' ')", "replaceAll('x', 'x')", 'shows what the server says in one line'],
  ]),
  ...of(sending('attempt'), 'services/mail/src/sending/attempt.test.ts', [
    ['pauses[attempts - 1]', 'pauses[0]', 'is tried for a day'],
    ['open || refused ?', 'open ?', 'somebody will not have it'],
  ]),
  ...of(sending('queued-message.repository'), test('sending-mailboxes'), [
    [
      'CASE WHEN unreachable_since <= now() - ${unreachableFor}::interval THEN',
      'CASE WHEN false THEN',
      'whose server is away for a day gives up',
    ],
    ['unreachable_since = coalesce(unreachable_since, now())', 'unreachable_since = now()', 'whose server is away for a day gives up'],
    [
      'THEN ${states.failed}::int ELSE status END',
      "THEN ${states.failed}::int WHEN unreachable_since <= now() - interval '12 hours' THEN ${states.failed}::int ELSE status END",
      'whose server is away for a day gives up',
    ],
    ['data: { unreachableSince: null } })', 'data: {} })', 'has a day again when somebody has set it right'],
  ]),
  ...of(sending('transmission.repository'), test('sending-fence'), [
    ['unreachable_since = NULL, ', '', 'whose server is away for a day gives up', test('sending-mailboxes')],
    ['mustHold(await dot({ claim, notTaken }))', 'void (await dot({ claim, notTaken }))', 'sends no end of it, and changes nothing'],
    ['mustHold(await settle({ claim, answers }))', 'void (await settle({ claim, answers }))', 'writes no answer that comes after'],
    ['message.id = claim.id AND message.fence = claim.fence', 'message.id = claim.id', 'are written where the claim still holds'],
    [
      'JOIN mail_sent_messages AS message USING (id, fence)',
      'JOIN mail_sent_messages AS message USING (id)',
      'are written where the claim still holds',
    ],
    ['AS claim (id, fence) USING (id, fence)', 'AS claim (id, fence) USING (id)', 'are written where the claim still holds'],
  ]),
  ...of(sending('queued-message.repository'), test('sending'), [
    [
      "status: states.processing, phase: 'claimed' }\n      const",
      "status: states.processing, phase: 'none' }\n      const",
      'what a run had claimed that is gone is sent by the next one',
    ],
    [
      "AND coalesce(send_at, '-infinity') <= now() AND coalesce(next_attempt_at, '-infinity') <= now()\n          ORDER BY",
      'ORDER BY',
      'until its time is not sent before it',
    ],
  ]),
  ...of(sending('queued-message.repository'), test('sending-fence'), [
    ['afterAttempt(recipients as readonly Tried[], attempts + 1)', 'afterAttempt([], attempts + 1)', 'and its author is told'],
    ["{ ...ofMessage, state: 'pending' }", '{ ...ofMessage, state: toTry }', 'was delivered to whom the server had taken'],
  ]),
  ...of(sending('told-authors.repository'), test('sending'), [
    ['if (status === states.failed) await outbox(', 'if (false) await outbox(', 'has failed at once when the server will not take it'],
  ]),
  ...of('services/mail/src/mailbox-safety/forgotten-mailbox.repository.ts', test('sending-queue'), [
    ["OR server.state = 'active' OR", 'OR true OR', 'gets none when nothing waits there, or it does not send'],
    [' OR message.status = 1 OR', ' OR', 'what was being sent'],
    ["interval '${unreachableFor}'", "interval '1 hour'", 'that was stopped gets one'],
    [' OR server.server_protocol <> ${protocols.smtp}', '', 'that receives now gets one'],
  ]),
  ...of(sending('sending-queue.repository'), test('sending-queue'), [
    ["WHEN server.state <> 'active' THEN 'stopped'", '', 'are counted by state'],
    ['min(greatest(message.send_at, message.modified))', 'min(message.modified)', 'are counted by state'],
  ]),
  ...of(sending('sending.service'), test('sending-queue'), [
    ["if (sender.state === 'auth_failed') await", 'if (false) await', 'that was stopped gets one'],
  ]),
  ...of(sending('sending.service'), test('sending-fence'), [
    [
      'before.then(() => transmission.dot(message, notTaken))',
      'transmission.dot(message, notTaken)',
      'does not end before the answer to the one before',
    ],
  ]),
  ...of(sending('sending.service'), test('sending-mailboxes'), [
    [
      'left.unshift(message as ClaimedMessage)',
      'idle.push(message as ClaimedMessage, ...left.splice(0))',
      'takes fewer connections sends over those',
    ],
    ['if (fault || left.length > 0) throw', 'if (fault) throw', 'waits with all of its messages, and sends them when it is set right'],
    ['if (count >= mostPerHour)', 'if (false)', 'sends so many messages within an hour'],
    [
      'else if (isOpen && error instanceof MailConnectionError)',
      'else if (false)',
      'that ends the connection is tried later',
      test('sending'),
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
    ['(await folder.has(messageId)) ? undefined :', '', 'is not added to what the server has filed by itself'],
    ['if (partner && !partner.isActive)', 'if (false)', 'waits for a server that is paused'],
  ]),
]
