import { of } from './of.mjs'

const rights = 'services/auth/src/roles/right.test.ts'
const users = 'services/auth/test/users/users.api.test.ts'
const roles = 'services/auth/test/users/user-roles.api.test.ts'
const me = 'services/auth/test/users/me.api.test.ts'
const underLock = 'services/auth/test/users/judged-under-lock.test.ts'
const sessions = 'services/auth/test/tokens/sessions.api.test.ts'
const applications = 'services/auth/test/tokens/applications.test.ts'
const clients = 'services/auth/test/clients/clients.api.test.ts'
const events = 'services/auth/test/events.test.ts'
const names = 'services/auth/test/clients/client-names.api.test.ts'
const queue = 'services/auth/src/passwords/fair-queue.test.ts'
const links = 'services/auth/test/clients/links.api.test.ts'
const groups = 'services/auth/test/users/groups.api.test.ts'
const office = 'services/auth/test/offices/office.api.test.ts'
const reset = 'services/auth/test/passwords/password-reset.api.test.ts'
const invitations = 'services/auth/test/clients/invitations.api.test.ts'
const emailChange = 'services/auth/test/addresses/email-change.api.test.ts'
const mails = 'services/auth/test/addresses/account-mails.test.ts'
const layout = 'services/auth/src/account-mails/mail-layout.test.ts'
const factorSignIn = 'services/auth/test/sign-in/second-factor-sign-in.api.test.ts'
const factor = 'services/auth/test/sign-in/second-factor.api.test.ts'
const clientData = 'services/auth/test/clients/client-data.test.ts'
const clientAddresses = 'services/auth/test/clients/client-addresses.test.ts'
const factorDemanded = 'services/auth/test/sign-in/second-factor-demanded.api.test.ts'

/** Who may do what in an office, whose session ends, and who waits for a hash. */
export default [
  ...of('services/auth/src/client-data/client-data.repository.ts', clientData, [
    ['links.find(({ banned }) => !banned)', 'links[0]', 'is not found when every office has banned them'],
    ["change.state === 'released'", 'false', 'that was released can be neither applied nor reserved'],
    ["if (known && known.state !== 'reserved') throw changeHasEnded()", '', 'that was released can be neither applied nor reserved'],
    [
      "updateMany({ where: { id, state: 'reserved' }, data })",
      'updateMany({ where: { id }, data })',
      'that was applied cannot be released',
    ],
  ]),
  ...of('services/auth/src/client-data/person-accounts.repository.ts', clientData, [
    ['user.id !== employee?.id', 'user.id === employee?.id', 'that is taken is refused', clientAddresses],
    ['passwordHash === null ? []', 'passwordHash === undefined ? []', 'does not change while the client has not proven the address'],
    ['attached && (await', 'attached || (await', 'at an office that the client is not attached to'],
    ['throw addressIsReserved()', '', 'is reserved by only one of two concurrent changes', clientAddresses],
    [
      '{ firstname, lastname, ...names, namesConfirmed: new Date() }',
      '{ firstname, lastname, ...names }',
      'of names only keeps the sessions',
    ],
    ['{ firstname, lastname, ...names,', '{ ...names,', 'keeps the other one'],
    ['if (email !== undefined) await offices.publishAll(id)', '', 'to the offices that the client is attached to', clientAddresses],
  ]),
  ...of('services/auth/src/client-data/client-data.service.ts', clientData, [
    ['await sessions.endAll(person)', '', 'of the address ends the sessions'],
    ['await mails.addressChanged(person, email)', 'void 0', 'of the address ends the sessions and notifies the old address'],
    ['await mails.invite(person, officeId)', 'void 0', 'invites them at the new one'],
  ]),
  ...of('services/auth/src/roles/right.ts', rights, [
    ['before.has(right) || own.has(right)', 'own.has(right)', 'requires every new right'],
    ['before.has(right) || own.has(right)', 'true', 'requires every new right'],
    ['[...ofRole, ...ofUser]', '[...ofUser, ...ofRole]', 'let the permissions of the person override those of the role'],
    ["right.startsWith('mailbox.')", 'true', 'are at first those of base role'],
    ["trainee: ['mailbox.personal_mailbox']", 'trainee: []', 'are at first those of base role'],
    ['else effective.delete(key)', '', 'are those of the base role'],
  ]),
  ...of('services/auth/src/roles/rights.service.ts', 'services/auth/test/grpc.test.ts', [
    ['(grounds) => rightsBy(grounds).has(right)', '() => true', 'returns the active employees of an office who have a right'],
  ]),
  ...of('services/auth/src/roles/rights.repository.ts', users, [
    ['${customerId} AND users.active AND', '${customerId} AND', 'refuses to leave an office without an administrator'],
    [
      'SELECT FROM customers WHERE id = ${customerId} FOR UPDATE',
      'SELECT FROM customers WHERE id = ${customerId}',
      'cannot remove each other concurrently',
      'services/auth/test/users/judged-under-lock.test.ts',
    ],
  ]),
  ...of('services/auth/src/roles/right.ts', 'services/auth/test/users/base-roles.matrix.test.ts', [
    ['!isAbove(before.baseRole, own.baseRole) && ', '', 'nobody assigns or edits a base role above their own'],
    ['!isAbove(after.baseRole, own.baseRole) && ', '', 'nobody assigns or edits a base role above their own'],
  ]),
  ...of('services/auth/src/roles/user-role.service.ts', roles, [
    ['        if (builtIn) throw builtInRole()', '', 'refuses the built-in ones'],
    ['await rights.requireAdministrator(caller.customerId)', '', 'keeps at least one administrator'],
    ['await sessions.endOfRole(id)', '', 'of a role that gets another base role', sessions],
  ]),
  ...of('services/auth/src/users/user-change.service.ts', sessions, [
    ['else if (password !== undefined ||', 'else if (', 'except for the one that sets their own password'],
    [', caller.sessionId)', ')', 'except for the one that sets their own password'],
    [
      '?.passwordHash === null) await mails.invite',
      '?.passwordHash === undefined) await mails.invite',
      'is invited at the new address when theirs is corrected',
      invitations,
    ],
    ['!readdressed && !activated', '!readdressed', 'is invited when they are activated later', invitations],
    ['requireNotOwn(caller, before, changes)', '', 'and not by their id', me],
  ]),
  ...of('services/auth/src/users/user.service.ts', users, [
    [' && input.active !== false', '', 'is invited when they are activated later', invitations],
    ['holder !== before?.id', 'holder !== id', 'names a taken address together with other invalid fields'],
    ['emailTaken().fields', '{}', 'names a taken address together with other invalid fields'],
    ['if (id === caller.userId) throw ownSecondFactor()', '', 'cannot be removed so by its owner', factorDemanded],
  ]),
  ...of('services/auth/src/sessions/session.repository.ts', sessions, [['ended: null }', '}', 'is idempotent, and published once']]),
  ...of('services/auth/src/applications/application.service.ts', 'services/auth/test/tokens/token-errors.api.test.ts', [
    ["(application.kind === 'first_party' || hasSecret(application, secret))", 'true', 'is refused without its secret'],
  ]),
  ...of('services/auth/src/applications/application.service.ts', applications, [
    ["if (kind === 'first_party') throw applicationWithoutSecret(clientId)", '', 'requires an existing external application'],
    ['      await sessions.endOfApplication(id)\n', '', 'ends the sessions that were begun with the old one'],
    ['return sessions.endOfApplication(id)', 'return 0', 'gets no more tokens'],
  ]),
  ...of('services/auth/src/tokens/token.repository.ts', applications, [
    [
      ".innerJoin('applications as application', 'application.id', 'session.application_id')",
      '',
      'leaves no session of a concurrent sign-in',
    ],
  ]),
  ...of('services/auth/src/passwords/fair-queue.client.ts', queue, [
    ['queue.size >= maxWaiting', 'queue.size > maxWaiting', 'refuses a further entry'],
    [
      'each.length > most.length',
      'each.length < most.length',
      'refuses the last entry of the caller with the most entries in favour of another caller',
    ],
    [
      'longest.length < ahead + 2',
      'longest.length < ahead + 1',
      'refuses a caller who would then have as many entries as the one that would lose one',
    ],
    ['longest.length < ahead + 2', 'longest.length < ahead', 'refuses a caller who already has as many entries as any other'],
    [
      'longest.at(-1)?.abort',
      'longest.at(0)?.abort',
      'refuses the last entry of the caller with the most entries in favour of another caller',
    ],
    ['if (signal?.aborted) throw busy(signal.reason)', '', 'before the call runs nothing'],
    ["signal?.addEventListener('abort', abort, { once: true })", '', 'is refused at once'],
    ['      leave(of, place)\n      signal?', '      signal?', 'callers take turns'],
    ["signal?.removeEventListener('abort', abort)", '', 'after the turn has come changes nothing'],
    ["place.signal.addEventListener('abort', () => leave(of, place), { once: true })", '', 'no longer counts as waiting'],
    ['priority: -ahead.length, ', '', 'callers take turns'],
    [', signal: place.signal }', ' }', 'is refused at once'],
  ]),
  ...of('services/auth/src/roles/rights.repository.ts', 'services/auth/test/users/permissions.api.test.ts', [
    ['requireVersion(role, expected)', '', 'read before another change of them, is 412'],
    ['requireVersion(user, expected)', '', 'read before another change of them, is 412'],
    ['await tx.userRole.update({ where: { id, customerId }, data: { customerId } })', '', 'read before another change of them, is 412'],
    ['await outbox(tx, userTopic, userEvent(await', 'void userEvent((await', 'with a growing revision', events],
  ]),
  ...of('services/auth/src/roles/right.ts', 'services/auth/test/users/permissions.api.test.ts', [
    ["['users.manage', 'roles.manage']", "['roles.manage']", 'does not leave an office without somebody who can restore every right'],
    [
      'before.rights.has(right) && !after',
      '!before.rights.has(right) && !after',
      'does not leave an office without somebody who can restore every right',
    ],
  ]),
  ...of('services/auth/src/groups/group.repository.ts', groups, [
    ['await tx.userGroup.deleteMany({ where: { customerId: caller.customerId, groupId: id } })', '', 'ends memberships with the group'],
    ["{ name: '', deleted: true }", '{ deleted: true }', 'contains the whole state of a group after each change'],
  ]),
  ...of('services/auth/src/groups/user-group.repository.ts', groups, [
    ['DO UPDATE SET user_id = excluded.user_id WHERE false', 'DO NOTHING', 'adds a member while their membership is being ended'],
    ['await keepGroup(tx, customerId, membership)', '', 'ends memberships with the group'],
    [', deleted: false }', ' }', 'refuses persons and groups that the office does not have'],
    [', active: true }', ' }', 'refuses persons and groups that the office does not have'],
    ['if (count === 0) throw notFound()', '', 'ends a membership by the ids of person and group'],
  ]),
  ...of('services/auth/src/customers/customer.repository.ts', office, [
    ['requireVersion(row, expected)', '', 'refuses an old version'],
    ['customerEvent(changed))\n      await then(row)', 'customerEvent(changed))', 'is recorded in the audit trail'],
  ]),
  ...of('services/auth/src/customers/customer.service.ts', office, [
    ['if (fields.length === 0) return', '', 'and not where none has'],
    ['Reflect.get(after, name) === Reflect.get(before, name)', '!(name in changes)', 'with the fields that have changed'],
  ]),
  ...of('services/auth/src/passwords/password.field.ts', 'services/auth/src/passwords/new-password.test.ts', [
    ['oneForm(wire) : wire', 'wire : wire', 'in the form in which they are hashed'],
  ]),
  ...of('services/auth/src/second-factors/second-factor.repository.ts', factorSignIn, [
    ['where: { id, lastStep: { lt: step } }', 'where: { id }', 'is accepted for one of fifty concurrent sign-ins'],
    ['(await tx.recoveryCode.deleteMany({ where: { secondFactorId, hash } })).count === 1', 'true', 'can be one of ten recovery codes'],
    ['SELECT FROM users WHERE id = ${id} FOR UPDATE', 'SELECT FROM users WHERE id = ${id}', 'is ended when it comes first'],
    ['sealer.seal(secret, id)', 'new Uint8Array(secret)', 'are encrypted in the database', factor],
  ]),
  ...of('services/auth/src/second-factors/second-factor.service.ts', factorSignIn, [
    ["if (verdict === 'wrong') await failures.note(attempt)", '', 'count like wrong passwords'],
    ["if (!factor) return 'not needed'", "if (!factor || factor) return 'not needed'", 'does not suffice: a code is required'],
  ]),
  ...of('services/auth/src/second-factors/own-second-factor.service.ts', factorSignIn, [
    ['await sessions.endAll(subject, caller.sessionId)', '', 'is ended when it comes first'],
    ['await ownPasswords.requireCurrent(caller, currentPassword)', 'async () => {}', 'requires the current password to begin', factor],
    ['await stillCurrent()', '', 'is not changed with a password that is the present one no more', underLock],
    ["if (verdict === 'missing') throw noOtp()", '', 'requires the password and a code to be removed', factor],
    [
      'if (isRequired(await accounts.byId(person))) throw demanded()',
      '',
      'does not allow its removal while it is required',
      factorDemanded,
    ],
  ]),
  ...of('services/auth/src/tokens/access-token.service.ts', factorDemanded, [
    ['{ second_factor_missing: true }', '{}', 'limits a session without one to its setup'],
    ['if (passwordExpired) return { pwd_expired: true }', '', 'requires an expired password to be changed first'],
  ]),
  ...of('services/auth/src/passwords/argon2-password-hasher.client.ts', 'services/auth/src/passwords/argon2-password-hasher.test.ts', [
    ['.catch(unreadable)', '', 'no password matches an invalid hash'],
    ['right ?? false', 'right ?? true', 'a password matches its own hash only'],
  ]),
  ...of('services/auth/src/passwords/own-password.service.ts', me, [
    ['networks: [subjectKey(subject)] }', "networks: ['signed in'] }", 'limits only the person who failed'],
    ['!== account?.passwordHash', '=== undefined', 'the second is told that the present one is another', underLock],
  ]),
  ...of('services/auth/src/mailed-links/mailed-link.service.ts', reset, [
    ['!login?.active || ', '!login || ', 'is invalid while the employee is not active'],
    ['!stateOf(login).equals(link.state) || ', '', 'is invalid after the address was changed'],
  ]),
  ...of('services/auth/src/mailed-links/proven-address.service.ts', invitations, [
    ['await accept(purpose, link)', '', 'accepts the invitation by whose link the password is set'],
  ]),
  ...of('services/auth/src/limits/login-failures.ts', 'services/auth/test/passwords/password-reset-limits.api.test.ts', [
    ['await accountAtAddress.clear(keys.accountAtAddress)', '', 'clears the failed sign-ins'],
    ['await account.clear(keys.account)', '', 'clears the failed sign-ins'],
  ]),
  ...of('services/auth/src/mailed-links/mailed-link.repository.ts', reset, [
    ['where: { hash, purpose, kind, expires', 'where: { hash, kind, expires', 'is not set by a link of the other address'],
  ]),
  ...of('services/auth/src/account-mails/account-mail.service.ts', reset, [
    [
      'if (!recipient?.active) return null\n    return { topic: recipient',
      'if (!recipient) return null\n    return { topic: recipient',
      'gets the same answer for an active',
    ],
    ["? 'invitation' : 'password_reset'", "? 'password_reset' : 'password_reset'", 'gets the invitation again', invitations],
    ['|| link === null) return null', ') return null', 'is not invited by an office that bans them', invitations],
    ['if (!recipient?.active || !isFree || ', 'if (!recipient?.active || ', 'gets no mail if somebody has it', emailChange],
  ]),
  ...of('services/auth/src/account-mails/account-mail.job.ts', reset, [
    ['if (!before && (await isTooMany(draft)))', 'if (false)', 'allow five mails to one address in an hour'],
    ['const begun = before ?? (await begin', 'const begun = (await begin', 'that does not answer may have accepted the mail', mails],
    ['id: messageIdOf(seed)', 'id: newSeed()', 'that does not answer may have accepted the mail', mails],
  ]),
  ...of('services/auth/src/account-mails/mail-layout.ts', layout, [['`<p>${escapeHtml(text)}</p>`', '`<p>${text}</p>`', 'is escaped']]),
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
    ['await ownPasswords.prove(caller, currentPassword)', 'undefined', 'requires the current password'],
  ]),
  ...of('services/auth/src/clients/client.repository.ts', emailChange, [
    ['data: { email } })))\n          await links.publishAll(id)', 'data: { email } })))', 'a new address is published'],
    [
      'data: { externalUserId } })))\n          await links.publishAll(id)',
      'data: { externalUserId } })))',
      'contain each link of a client whose id of the external platform the operator sets or removes',
      events,
    ],
  ]),
  ...of('services/auth/src/clients/link.repository.ts', clients, [
    ['if (changed.version !== link.version) await publish', 'await publish', 'after a change that changes nothing', events],
    ["state: 'invited', banned: false }", "state: 'invited' }", 'GET of the invitations lists the offices to accept', links],
    ['if (link.banned && !changed.banned) await', 'if (false) await', 'is not invited by an office that bans them', invitations],
    [
      "const where = { userClientId, state: 'invited'",
      "const where = { state: 'invited'",
      'GET of the invitations lists the offices to accept',
      links,
    ],
    ['?.banned) throw forbidden()', '?.banned) void 0', 'bans: the client cannot come back'],
    ["isNew ? 'active' : 'invited'", "'active'", 'invites a client who has an account'],
    [
      'if (own.firstname || own.lastname || link',
      'if (account.namesConfirmed || link',
      'become those of the account also if the person has only confirmed a phone number',
      names,
    ],
    [': filled(link, card)', ': card', 'keeps the card of the office', links],
    ['banned: false, ...card', '...card', 'is no longer banned if the office invites them without a ban', links],
    ["state === 'invited' ? email : null", 'null', 'is shown to the offices that the client is attached to', clientAddresses],
    [
      "updateManyAndReturn({ where: { userClientId, state: 'active' }, data })",
      'updateManyAndReturn({ where: { userClientId }, data })',
      'is shown to the offices that the client is attached to',
      clientAddresses,
    ],
    [
      "if (link?.state !== 'invited' || link.banned) return",
      'if (!link || link.banned) return',
      'can set the password after that office has withdrawn its invitation or banned them',
      invitations,
    ],
    [
      "if (link?.state !== 'invited' || link.banned) return",
      "if (link?.state !== 'invited') return",
      'can set the password after that office has withdrawn its invitation or banned them',
      invitations,
    ],
    ["invitedEmail: null }, { kind: 'client', id: userId })", 'invitedEmail: null })', 'and no other', invitations],
    ["if (!link || link.state === 'ended') throw notFound()", 'if (!link) throw notFound()', 'ends the link'],
    [
      "if (link?.state !== 'active' || link.banned) throw notFound()",
      'if (!link) throw notFound()',
      'an invitation can be accepted',
      links,
    ],
    ['findFirst({ where: { id, userClientId: userId } })', 'findFirst({ where: { id } })', 'another client’s link is the same 404', links],
  ]),
]
