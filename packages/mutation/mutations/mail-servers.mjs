import { of } from './of.mjs'

const api = 'services/mail/test/mailboxes/mail-servers.api.test.ts'
const passwords = 'services/mail/test/mailboxes/mailbox-passwords.api.test.ts'
const tries = 'services/mail/test/mailboxes/mail-server-tries.api.test.ts'
const authorizations = 'services/mail/test/mailboxes/mailbox-authorization.api.test.ts'
const grants = 'services/mail/test/mailboxes/mail-grants.test.ts'
const revocation = 'services/mail/test/mailboxes/grant-revocation.test.ts'
const former = 'services/mail/test/mailboxes/former-mailboxes.api.test.ts'
const sending = 'services/mail/test/sending/sending-mailboxes.test.ts'
const readers = 'services/mail/test/messages/mail-command-readers.api.test.ts'
const commands = 'services/mail/test/messages/mail-commands.api.test.ts'

/** Mailboxes: whose they are, and where their passwords go; and their commands. */
export default [
  ...of('services/mail/src/mail-servers/mail-server.repository.ts', api, [
    ['if (row.userId !== caller.userId) throw forbidden()', '', 'its owner alone'],
    ['const where = { customerId, userId, id:', 'const where = { customerId, id:', 'is shown to the owner, and to nobody else', passwords],
    ["before.state === 'paused' ? 'paused' : started.state", 'started.state', 'stop a mailbox until it is resumed'],
    ["before.state === 'paused' ? 'paused' : started.state", 'before.state', 'starts a mailbox that was stopped'],
  ]),
  ...of('services/mail/src/mail-servers/mail-server.repository.ts', sending, [
    [
      'if (isOtherProtocol && before.serverProtocol === protocols.smtp) await onSendingEnded(tx, customerId, id)',
      '',
      'fails its messages, and notifies their authors',
    ],
    [
      'if (before.serverProtocol === protocols.smtp) await onSendingEnded(tx, before.customerId, id)',
      '',
      'fails its messages, and notifies their authors',
    ],
    ['isAnother = isOtherProtocol || ', 'isAnother = ', 'deletes the cursors of a mailbox', api],
  ]),
  ...of('services/mail/src/mail-servers/former-mailbox.repository.ts', former, [
    [' || (await hasReceived())', '', 'that has received, and sends when it is deleted'],
    ['return taken ?? null', 'return null', 'a mailbox that is deleted and created'],
    [' AND user_id = ${userId}', '', 'does not continue the deleted one'],
    ['if (!receives(serverProtocol)) return null', '', 'does not continue the deleted one'],
    ['if (receives(mailbox.serverProtocol) || (await hasReceived()))', '', 'a mailbox that receives does not continue'],
  ]),
  ...of('services/mail/src/mail-servers/mail-server.service.ts', passwords, [
    ['if (maskPasswords) return [...servers]', '', 'MASK_MAIL_PASSWORDS shows a password to nobody'],
    ['(takesPassword || losesPassword)', 'losesPassword', 'is required again with'],
    ['(takesPassword || losesPassword)', 'takesPassword', 'is not removed by null, even with another server'],
    ['const changes = isKept(userPassword) ? others : fit', 'const changes = sent', 'stays when'],
    [', ...(moves && wrongPortOf(after)) }', ' }', 'refuses a port of another protocol', api],
  ]),
  ...of('services/mail/src/mail-servers/mail-server-secrets.ts', passwords, [
    ['`mail_server ${id}`', "'mail_server'", 'the command line encrypts passwords anew'],
  ]),
  ...of('services/mail/src/mail-servers/mailbox-authorization.service.ts', authorizations, [
    ['if (server.userId !== caller.userId) throw notFound()', '', 'the owner alone'],
    ['if (!provider.hosts.includes(serverAddress)) throw providerServesOthers()', '', 'refuses a server'],
    ['if (serverEncryption === encryptions.none) throw providerNeedsEncryption()', '', 'refuses '],
    ['if (!mayServe(provider, mailbox)) return null', '', 'are sent to no server but those of the provider', grants],
    [
      'await authorizations.stop(stored, stored.oauthProvider, mayServe(stored.oauthProvider, stored))',
      '',
      'that the provider refuses stop each server',
      grants,
    ],
  ]),
  ...of('services/mail/src/mail-grants/grant.service.ts', authorizations, [
    ['if (!redirectUris.includes(redirectUri)) throw redirectUriUnknown()', '', 'redirect URI'],
    ['one.sessionId === caller.sessionId && ', '', 'is valid once, with its state, in its'],
    ['one.state === state && ', '', 'is valid once, with its state, in its'],
    [' && one.until > Date.now()', '', 'is refused after ten minutes'],
    ['        await grants.putBack(mailbox, begun)\n', '', 'is 503 while the provider does not'],
    ['if (refreshToken === null) throw accessTooShort()', '', 'refuses access that cannot be renewed'],
    ['      await grants.drop(grant)\n', '', 'that the provider refuses stop', grants],
    ['await grants.release(grant)', '', 'are kept while the provider does not', grants],
  ]),
  ...of('services/mail/src/mail-grants/grant.repository.ts', revocation, [
    [
      'begun: found.begun }, data: { begun: null }',
      'begun: found.begun }, data: {}',
      'is valid once, with its state, in its',
      authorizations,
    ],
    ['            AND (claimed_until IS NULL OR claimed_until < now())', '', 'are refreshed once', grants],
    ['data: { userId: null, begun: null }', 'data: { begun: null }', 'are revoked at the provider'],
    [
      'const where = { customerId, userEmail, provider, userId: { not: null }',
      'const where = { customerId, userEmail, provider, userId: null',
      'are revoked at the provider',
    ],
  ]),
  ...of('services/mail/src/mail-grants/revocation.job.ts', revocation, [
    ['Date.now() < until && ', '', 'are deleted when the provider has not'],
    ['await revoke(grant)', '', 'are revoked at the provider'],
    ['!(await grants.isHeldElsewhere(grant))', 'true', 'are not revoked while'],
  ]),
  ...of('packages/kit/src/outbound/guarded-resolver.ts', 'packages/kit/test/outbound/guarded-resolver.test.ts', [
    ['() => true : isPublicAddress', '() => true : () => true', 'next to a public one is refused'],
  ]),
  ...of('services/mail/src/mail-commands/mail-command.service.ts', commands, [
    ['!(await hasRight(caller, rightOfFolder[command.backfill.folderName]))', 'false', 'requires the right of the folder'],
  ]),
  ...of('services/mail/src/mail-commands/mail-command.repository.ts', commands, [
    ["if (status !== 'in_progress') throw commandEnded()", '', 'of a command that has ended is a conflict'],
    ["data: { status: 'cancelled', ended: new Date(), waitsUntil: null }", 'data: {}', 'cancels a backfill'],
    [' AND server.user_id = ${param(({ owner }) => owner.userId)}', '', 'is seen and cancelled by nobody else', readers],
    ['OR mail_server_id IN (', 'OR mail_server_id NOT IN (', 'by the owner of the mailbox', readers],
  ]),
  ...of('services/mail/src/mail-commands/mail-command.ts', 'services/mail/src/mail-commands/mail-command.test.ts', [
    ['sent > today ?', 'sent >= today ?', ' is accepted'],
    ['monthOf(fetchAfterDate) + 1', 'monthOf(fetchAfterDate)', ' there are '],
  ]),
  ...of('services/mail/src/mail-connections/imap-connection.client.ts', tries, [
    ['doSTARTTLS: isStartTls(mailbox)', 'doSTARTTLS: undefined', 'fails by STARTTLS that is not offered'],
    ['temporary.has(String(serverResponseCode)) ||', '', 'tells what '],
    [' || tooMany.test(String(response))', '', 'tells what '],
  ]),
  ...of('services/mail/src/mail-connections/smtp-connection.client.ts', tries, [
    ['requireTLS: isStartTls(mailbox)', 'requireTLS: false', 'fails by STARTTLS that is not offered'],
    ['tls: { ...tls, ca: [...tls.ca] }', 'tls: { ...tls, ca: [...tls.ca], rejectUnauthorized: false }', 'fails by a certificate that is '],
  ]),
  ...of('services/mail/src/mail-connections/pop3-connection.client.ts', tries, [
    ["mustBeOk(session.command('STLS'), 'tls')", "session.command('STLS')", 'fails by STARTTLS that is not offered'],
  ]),
  ...of('services/mail/src/mail-connections/pop3-session.client.ts', tries, [
    ["if (replies.size() > 0) throw new MailConnectionError('tls')", '', 'fails where something is said before the encryption begins'],
  ]),
  ...of('services/mail/src/mail-connections/guarded-mail-dialer.client.ts', tries, [
    ['guardedResolver({ privateHosts })', "guardedResolver({ privateHosts: ['localhost', '10.0.0.1', '::1'] })", ', with one word'],
  ]),
  ...of('services/mail/src/mail-servers/mail-server.service.ts', 'services/mail/test/sending/sender-domains.api.test.ts', [
    ['...(failed === null && sender && { sender })', '...(sender && { sender })', 'reports no DNS records where it has failed'],
    ['userEmail = userLogin }', "userEmail = '' }", 'uses the login as the address where it is one'],
  ]),
  ...of('services/mail/src/sender-domains/dns-domain-texts.client.ts', 'services/mail/test/sending/sender-domains.api.test.ts', [
    ['code === NODATA || code === NOTFOUND ? [] : null', '[]', 'works while the DNS does not answer'],
  ]),
  ...of('services/mail/src/sender-domains/sender-domain.ts', 'services/mail/src/sender-domains/sender-domain.test.ts', [
    ["(found !== own && tags?.get('sp')) || ", '', 'DMARC'],
    ['if (others.length > 0)', 'if (false)', 'SPF'],
  ]),
]
