import { of } from './of.mjs'

const rights = 'services/auth/src/roles/right.test.ts'
const users = 'services/auth/test/users.api.test.ts'
const roles = 'services/auth/test/user-roles.api.test.ts'
const me = 'services/auth/test/me.api.test.ts'
const underLock = 'services/auth/test/judged-under-lock.test.ts'
const sessions = 'services/auth/test/sessions.api.test.ts'
const applications = 'services/auth/test/applications.test.ts'
const clients = 'services/auth/test/clients.api.test.ts'
const events = 'services/auth/test/events.test.ts'
const names = 'services/auth/test/client-names.api.test.ts'
const queue = 'services/auth/src/passwords/fair-queue.test.ts'
const links = 'services/auth/test/links.api.test.ts'
const groups = 'services/auth/test/groups.api.test.ts'
const office = 'services/auth/test/office.api.test.ts'
const reset = 'services/auth/test/password-reset.api.test.ts'
const invitations = 'services/auth/test/invitations.api.test.ts'
const emailChange = 'services/auth/test/email-change.api.test.ts'
const mails = 'services/auth/test/account-mails.test.ts'
const layout = 'services/auth/src/account-mails/mail-layout.test.ts'
const factorSignIn = 'services/auth/test/second-factor-sign-in.api.test.ts'
const factor = 'services/auth/test/second-factor.api.test.ts'
const clientData = 'services/auth/test/client-data.test.ts'
const clientAddresses = 'services/auth/test/client-addresses.test.ts'
const factorDemanded = 'services/auth/test/second-factor-demanded.api.test.ts'

/** Who may do what in an office, whose session ends, and who waits for a hash. */
export default [
  ...of('services/auth/src/client-data/client-data.repository.ts', clientData, [
    ["state: 'active', banned: false", "state: 'active'", 'is not found when every office has banned them'],
    ['user.id !== employee?.id', 'user.id === employee?.id', 'that somebody has is refused', clientAddresses],
    ['passwordHash === null ? []', 'passwordHash === undefined ? []', 'nobody has proven that the account of the client is theirs'],
    ['attached && (await', 'attached || (await', 'at an office that the client is not attached to'],
    ['throw addressIsReserved()', '', 'has one winner of two', clientAddresses],
    ["change.state === 'released'", 'false', 'that was released is never made'],
    ["if (known && known.state !== 'reserved') throw changeHasEnded()", '', 'that was released is never made'],
    ['{ firstname, lastname, ...names, namesConfirmed: new Date() }', '{ firstname, lastname, ...names }', 'is the person’s own'],
    ['{ firstname, lastname, ...names,', '{ ...names,', 'keeps the other one'],
    ['if (email !== undefined) await offices.publishAll(id)', '', 'to the offices that the client is attached to', clientAddresses],
    ["updateMany({ where: { id, state: 'reserved' }, data })", 'updateMany({ where: { id }, data })', 'that was made cannot be released'],
  ]),
  ...of('services/auth/src/client-data/client-data.service.ts', clientData, [
    ['await sessions.endAll(person)', '', 'of the address ends the sessions'],
    ['await mails.addressChanged(person, email)', 'void 0', 'the old address is told'],
    ['await mails.invite(person, officeId)', 'void 0', 'invites them at the new one'],
  ]),
  ...of('services/auth/src/roles/right.ts', rights, [
    ['before.has(right) || own.has(right)', 'own.has(right)', 'needs every new right'],
    ['before.has(right) || own.has(right)', 'true', 'needs every new right'],
    ['[...ofRole, ...ofUser]', '[...ofUser, ...ofRole]', 'are in the last word what the person is given'],
    ["right.startsWith('mailbox.')", 'true', 'are at first those of base role'],
    ["trainee: ['mailbox.personal_mailbox']", 'trainee: []', 'are at first those of base role'],
    ['else effective.delete(key)', '', 'are what the role gives and takes'],
  ]),
  ...of('services/auth/src/roles/rights.service.ts', 'services/auth/test/grpc.test.ts', [
    ['(grounds) => rightsBy(grounds).has(right)', '() => true', 'names who has a right'],
  ]),
  ...of('services/auth/src/roles/rights.repository.ts', users, [
    ['${customerId} AND users.active AND', '${customerId} AND', 'leaves no office without an administrator'],
    [
      'SELECT FROM customers WHERE id = ${customerId} FOR UPDATE',
      'SELECT FROM customers WHERE id = ${customerId}',
      'do not remove each other at the same moment',
      'services/auth/test/judged-under-lock.test.ts',
    ],
  ]),
  ...of('services/auth/src/roles/right.ts', 'services/auth/test/base-roles.matrix.test.ts', [
    ['!isAbove(before.baseRole, own.baseRole) && ', '', 'nobody gives or edits a base role above their own'],
    ['!isAbove(after.baseRole, own.baseRole) && ', '', 'nobody gives or edits a base role above their own'],
  ]),
  ...of('services/auth/src/roles/user-role.service.ts', roles, [
    ['        if (builtIn) throw builtInRole()', '', 'refuses the four that every office has'],
    ['await rights.requireAdministrator(caller.customerId)', '', 'keeps at least one administrator'],
    ['await sessions.endOfRole(id)', '', 'of a role that gets another base role', sessions],
  ]),
  ...of('services/auth/src/users/user.service.ts', sessions, [
    ['else if (password !== undefined ||', 'else if (', 'all but the one that sets their own password'],
    [', caller.sessionId)', ')', 'all but the one that sets their own password'],
    [
      '?.passwordHash === null) await mails.invite',
      '?.passwordHash === undefined) await mails.invite',
      'is invited at the right address',
      invitations,
    ],
    [' && input.active !== false', '', 'is invited when the office lets them in later', invitations],
    ['!readdressed && !activated', '!readdressed', 'is invited when the office lets them in later', invitations],
    ['holder !== before?.id', 'holder !== id', 'names a taken address with whatever else is wrong', users],
    ['emailTaken().fields', '{}', 'names a taken address with whatever else is wrong', users],
    ['requireNotOwn(caller, before, changes)', '', 'and not by their id', me],
    ['if (id === caller.userId) throw ownSecondFactor()', '', 'is not their own', factorDemanded],
  ]),
  ...of('services/auth/src/sessions/session.repository.ts', sessions, [['ended: null }', '}', 'twice is no error, and told once']]),
  ...of('services/auth/src/applications/application.service.ts', 'services/auth/test/token-errors.api.test.ts', [
    ["(application.kind === 'first_party' || hasSecret(application, secret))", 'true', 'is refused without its secret'],
  ]),
  ...of('services/auth/src/applications/application.service.ts', applications, [
    ["if (kind === 'first_party') throw applicationWithoutSecret(clientId)", '', 'is that of an external application that is there'],
    ['      await sessions.endOfApplication(id)\n', '', 'ends what was begun with the old one'],
    ['return sessions.endOfApplication(id)', 'return 0', 'and whoever signed in with it is signed out'],
  ]),
  ...of('services/auth/src/tokens/token.repository.ts', applications, [
    [".innerJoin('applications as application', 'application.id', 'session.application_id')", '', 'who signed in at the same moment'],
  ]),
  ...of('services/auth/src/passwords/fair-queue.client.ts', queue, [
    ['queue.size >= maxWaiting', 'queue.size > maxWaiting', 'refuses one more'],
    ['each.length > most.length', 'each.length < most.length', 'the last of whoever waits for most is refused'],
    ['longest.length < ahead + 2', 'longest.length < ahead + 1', 'refuses whoever would wait for as many then'],
    ['longest.length < ahead + 2', 'longest.length < ahead', 'refuses whoever already waits for as many as anybody'],
    ['longest.at(-1)?.abort', 'longest.at(0)?.abort', 'the last of whoever waits for most is refused'],
    ['if (signal?.aborted) throw busy(signal.reason)', '', 'before asking runs nothing'],
    ["signal?.addEventListener('abort', abort, { once: true })", '', 'is refused at once, and what would have run does not'],
    ['      leave(of, place)\n      signal?', '      signal?', 'those that wait take turns'],
    ["signal?.removeEventListener('abort', abort)", '', 'after the turn has come changes nothing'],
    ["place.signal.addEventListener('abort', () => leave(of, place), { once: true })", '', 'no longer counts as somebody who waits'],
    ['priority: -ahead.length, ', '', 'those that wait take turns'],
    [', signal: place.signal }', ' }', 'is refused at once, and what would have run does not'],
  ]),
  ...of('services/auth/src/roles/rights.repository.ts', 'services/auth/test/permissions.api.test.ts', [
    ['requireVersion(role, expected)', '', 'read before another change of them, is 412'],
    ['requireVersion(user, expected)', '', 'read before another change of them, is 412'],
    ['await tx.userRole.update({ where: { id, customerId }, data: { customerId } })', '', 'read before another change of them, is 412'],
    ['await outbox(tx, userTopic, userEvent(await', 'void userEvent((await', 'with a growing revision', events],
  ]),
  ...of('services/auth/src/roles/right.ts', 'services/auth/test/permissions.api.test.ts', [
    ["['users.manage', 'roles.manage']", "['roles.manage']", 'leaves somebody who can give every right back'],
    ['before.rights.has(right) && !after', '!before.rights.has(right) && !after', 'leaves somebody who can give every right back'],
  ]),
  ...of('services/auth/src/groups/group.repository.ts', groups, [
    ['await tx.userGroup.deleteMany({ where: { customerId: caller.customerId, groupId: id } })', '', 'ends with the group'],
    ["{ name: '', deleted: true }", '{ deleted: true }', 'tells the whole state of a group'],
  ]),
  ...of('services/auth/src/groups/user-group.repository.ts', groups, [
    ['DO UPDATE SET user_id = excluded.user_id WHERE false', 'DO NOTHING', 'whose membership is about to end'],
    ['await keepGroup(tx, customerId, membership)', '', 'also for whoever joins it at that moment'],
    [', deleted: false }', ' }', 'refuses a person or a group that the office does not have'],
    [', active: true }', ' }', 'refuses a person or a group that the office does not have'],
    ['if (count === 0) throw notFound()', '', 'ends a membership by its pair of ids'],
  ]),
  ...of('services/auth/src/customers/customer.repository.ts', office, [
    ['requireVersion(row, expected)', '', 'refuses an old version'],
    ['customerEvent(changed))\n      await then(row)', 'customerEvent(changed))', 'is in the audit trail'],
  ]),
  ...of('services/auth/src/customers/customer.service.ts', office, [
    ['if (fields.length === 0) return', '', 'not where nothing has'],
    ['Reflect.get(after, name) === Reflect.get(before, name)', '!(name in changes)', 'by what has changed of it'],
  ]),
  ...of('services/auth/src/passwords/password.field.ts', 'services/auth/src/passwords/new-password.test.ts', [
    ['oneForm(wire) : wire', 'wire : wire', 'in the form in which they are hashed'],
  ]),
  ...of('services/auth/src/second-factors/second-factor.repository.ts', factorSignIn, [
    ['where: { id, lastStep: { lt: step } }', 'where: { id }', 'that fifty use at once lets one of them in'],
    ['(await tx.recoveryCode.deleteMany({ where: { secondFactorId, hash } })).count === 1', 'true', 'may be one of ten recovery codes'],
    ['SELECT FROM users WHERE id = ${id} FOR UPDATE', 'SELECT FROM users WHERE id = ${id}', 'is ended when it comes before'],
    ['sealer.seal(secret, id)', 'new Uint8Array(secret)', 'are encrypted in the database', factor],
  ]),
  ...of('services/auth/src/second-factors/second-factor.service.ts', factorSignIn, [
    ["if (verdict === 'wrong') await failures.note(attempt)", '', 'count as wrong passwords do'],
    ["if (!factor) return 'not needed'", "if (!factor || factor) return 'not needed'", 'is not enough'],
  ]),
  ...of('services/auth/src/second-factors/own-second-factor.service.ts', factorSignIn, [
    ['await sessions.endAll(subject, caller.sessionId)', '', 'is ended when it comes before'],
    ['await ownPasswords.requireCurrent(caller, currentPassword)', 'async () => {}', 'is not begun without the present password', factor],
    ['await stillCurrent()', '', 'is not changed with a password that is the present one no more', underLock],
    ["if (verdict === 'missing') throw noOtp()", '', 'is switched off with the password and a code only', factor],
    ['if (isRequired(await accounts.byId(person))) throw demanded()', '', 'is refused to be switched off', factorDemanded],
  ]),
  ...of('services/auth/src/tokens/access-token.service.ts', factorDemanded, [
    ['{ second_factor_missing: true }', '{}', 'lets nobody in without one'],
    ['if (passwordExpired) return { pwd_expired: true }', '', 'asks for the password first'],
  ]),
  ...of('services/auth/src/passwords/argon2-password-hasher.client.ts', 'services/auth/src/passwords/argon2-password-hasher.test.ts', [
    ['.catch(unreadable)', '', 'no password is right for a hash that cannot be read'],
    ['right ?? false', 'right ?? true', 'is right for its own hash alone'],
  ]),
  ...of('services/auth/src/passwords/own-password.service.ts', me, [
    ['networks: [subjectKey(subject)] }', "networks: ['signed in'] }", 'fails for nobody else'],
    ['!== account?.passwordHash', '=== undefined', 'the second is told that the present one is another', underLock],
  ]),
  ...of('services/auth/src/mailed-links/mailed-link.service.ts', reset, [
    ['!login?.active || ', '!login || ', 'is good for nothing while the employee is not active'],
    ['!stateOf(login).equals(link.state) || ', '', 'the old mailbox opens nothing'],
  ]),
  ...of('services/auth/src/mailed-links/proven-address.service.ts', invitations, [
    ['await accept(purpose, link)', '', 'accepts the one by whose link they set it'],
  ]),
  ...of('services/auth/src/limits/login-failures.ts', 'services/auth/test/password-reset-limits.api.test.ts', [
    ['await accountAtAddress.clear(keys.accountAtAddress)', '', 'lets in whoever has failed too often before'],
    ['await account.clear(keys.account)', '', 'lets in whoever has failed too often before'],
  ]),
  ...of('services/auth/src/mailed-links/mailed-link.repository.ts', reset, [
    ['where: { hash, purpose, kind, expires', 'where: { hash, kind, expires', 'is not set by a link of the other address, of another kind'],
  ]),
  ...of('services/auth/src/account-mails/account-mail.service.ts', reset, [
    [
      'if (!recipient?.active) return null\n    return { topic: recipient',
      'if (!recipient) return null\n    return { topic: recipient',
      'is answered alike whoever is meant',
    ],
    ["? 'invitation' : 'password_reset'", "? 'password_reset' : 'password_reset'", 'gets the invitation again', invitations],
    ['|| link === null) return null', ') return null', 'is not invited by an office that bans them', invitations],
    ['if (!recipient?.active || !isFree || ', 'if (!recipient?.active || ', 'that somebody has gets no mail', emailChange],
  ]),
  ...of('services/auth/src/account-mails/account-mail.job.ts', reset, [
    ['if (!before && (await isTooMany(draft)))', 'if (false)', 'let five mails to one address through'],
    ['const begun = before ?? (await begin', 'const begun = (await begin', 'the same link comes again', mails],
  ]),
  ...of('services/auth/src/account-mails/mail-layout.ts', layout, [['`<p>${escapeHtml(text)}</p>`', '`<p>${text}</p>`', 'is text']]),
  ...of('services/auth/src/account-mails/smtp-mail-sender.client.ts', mails, [
    ['requireTLS: !insecure', 'requireTLS: false', 'gets nothing unless the configuration allows it'],
    ['if (isFinal(error)) return', 'if (false) return', 'for good gets it no more'],
  ]),
  ...of('services/auth/src/accounts/account.repository.ts', underLock, [
    [
      'id = ${userId} AND email = ${email} AND password_hash = ${passwordHash} AND active',
      'id = ${userId} AND password_hash = ${passwordHash} AND active',
      'begins no session',
    ],
    [
      'id = ${userId} AND email = ${email} AND password_hash = ${passwordHash} FOR',
      'id = ${userId} AND password_hash = ${passwordHash} FOR',
      'begins no session',
    ],
  ]),
  ...of('services/auth/src/clients/own-account.repository.ts', underLock, [
    ['await authorize?.()', '', 'the second is told that the present one is another'],
  ]),
  ...of('services/auth/src/clients/own-account.service.ts', emailChange, [
    ['await ownPasswords.prove(caller, currentPassword)', 'undefined', 'needs the present password'],
  ]),
  ...of('services/auth/src/clients/client.repository.ts', emailChange, [
    ['data: { email } })))\n          await links.publishAll(id)', 'data: { email } })))', 'of each link of theirs'],
    [
      'data: { externalUserId } })))\n          await links.publishAll(id)',
      'data: { externalUserId } })))',
      'that the operator gives an id',
      events,
    ],
  ]),
  ...of('services/auth/src/clients/link.repository.ts', clients, [
    ['if (changed.version !== link.version) await publish', 'await publish', 'of a change that changes nothing', events],
    ["state: 'invited', banned: false }", "state: 'invited' }", 'names the offices that may be accepted', links],
    ['if (link.banned && !changed.banned) await', 'if (false) await', 'until it lets them in', invitations],
    ["const where = { userClientId, state: 'invited'", "const where = { state: 'invited'", 'names the offices that may be accepted', links],
    ['?.banned) throw forbidden()', '?.banned) void 0', 'bans: the client cannot come back'],
    ["isNew ? 'active' : 'invited'", "'active'", 'invites whoever has an account'],
    ['if (own.firstname || own.lastname || link', 'if (account.namesConfirmed || link', 'has said their phone alone', names],
    [': filled(link, card)', ': card', 'keeps the card of the office', links],
    ['banned: false, ...card', '...card', 'is no longer banned where the office invites them', links],
    ["state === 'invited' ? email : null", 'null', 'not to one that invited the old one', clientAddresses],
    [
      "const where = { userClientId, state: 'active' }\n        for (const link of await tx.clientLink.updateManyAndReturn({ where, data: { userClientId } })",
      'const where = { userClientId }\n        for (const link of await tx.clientLink.updateManyAndReturn({ where, data: { userClientId } })',
      'not to one that invited the old one',
      clientAddresses,
    ],
    [
      "if (link?.state !== 'invited' || link.banned) return",
      'if (!link || link.banned) return',
      'has taken its invitation back',
      invitations,
    ],
    ["if (link?.state !== 'invited' || link.banned) return", "if (link?.state !== 'invited') return", 'or bans them', invitations],
    ["invitedEmail: null }, { kind: 'client', id: userId })", 'invitedEmail: null })', 'and no other', invitations],
    ["if (!link || link.state === 'ended') throw notFound()", 'if (!link) throw notFound()', 'ends the link'],
    [
      "if (link?.state !== 'active' || link.banned) throw notFound()",
      'if (!link) throw notFound()',
      'an invitation is nothing to leave, only to accept',
      links,
    ],
    ['findFirst({ where: { id, userClientId: userId } })', 'findFirst({ where: { id } })', 'another client’s link is the same 404', links],
  ]),
]
