import { of } from './of.mjs'

const faults = 'test-e2e/client-data-faults.test.ts'
const calls = 'test-e2e/client-data.test.ts'
const scim = 'services/partner/src/partner-client-data/scim-user.test.ts'
const folder = 'services/partner/src/partner-client-data'

/** All or nothing of a change of client data, in its order. */
export default [
  ...of(`${folder}/client-data-change.job.ts`, faults, [
    [
      'holders.some(({ id }) => id !== person?.id)',
      'false',
      'refuses an address of an employee or another client, here or in the single sign-on system',
      calls,
    ],
    ['await accounts.release(run.payload.id)', '', 'that fails before it has changed anything'],
    [
      "code === 'SSO_UNAVAILABLE' && !isFirst ? undefined : code",
      'code',
      'that goes down during the change: the change goes on when it is back',
    ],
    ['count += await', 'count = await', 'counts the cards of every office', calls],
    [
      'if (!singleSignOn || !changesThere(wanted)) return null',
      'if (!singleSignOn) return null',
      'is called with its token, and not for an unknown person or a company',
    ],
  ]),
  ...of(`${folder}/client-data-errors.ts`, faults, [
    [
      "if (error.code === 'CHANGE_ENDED') return 'CLIENT_USER_NOT_FOUND'",
      '',
      'and whose client is deleted with their last office meanwhile: the change is refused',
    ],
  ]),
  ...of(`${folder}/scim-single-sign-on.client.ts`, faults, [
    [
      'if (isTaken(answer) && (!after || remaining > 0)) throw emailTakenByClient()',
      '',
      'that finally reports that the address is taken: 403, nothing is changed',
    ],
    [
      'remaining === operations.length ? ssoUnavailable(failed) : outcomeUnknown(failed)',
      'outcomeUnknown(failed)',
      'that fails before it has',
    ],
    [
      'if (status === 404 && ifMissing !== undefined) return ifMissing',
      '',
      'and does not know the person any more: the change is made everywhere else',
    ],
    ['return anew\n', 'return undefined\n', 'and knows the person by another id'],
    [
      'if (isRefusal(answer.status)) return failed',
      '',
      'and refuses the change without any part of it: nothing is changed, and the call may be repeated',
    ],
    [
      'if (!isDone(status)) throw outcomeUnknown',
      'if (false) throw outcomeUnknown',
      'and refuses both the rest of the change and its reversal: the change goes on',
    ],
    [
      'await orUnknown(takeBack(after.id, undoingOf(after, had, before, changes)))',
      '',
      'that makes only a part of the change: 503, nothing is changed',
    ],
    ['was && after.id === id ? was : user', 'user', 'and refuses both the rest of the change and its reversal: the change goes on'],
    ['if (status !== 200) throw', 'if (status > 500) throw', 'that fails before it has changed anything'],
  ]),
  ...of(`${folder}/scim-user.ts`, scim, [
    ['const value = JSON.stringify(email)', 'const value = `"${email}"`', 'finds nobody but whom it names'],
    ['!user || others.length > 0', '!user', 'names two'],
    ['found.length < 2', 'found.length < 1', 'names one user with the address'],
    ['!outstanding.includes(one.path) && hasNew(one)', 'hasNew(one)', 'keep the old address where it is still there'],
    [
      '!outstanding.includes(one.path) && hasNew(one)',
      '!outstanding.includes(one.path)',
      'keep values that were new before, and those that somebody else has changed',
    ],
    ['!found.every((user) => hasAddress(user, email))', 'false', 'names somebody else'],
    ['value !== email', 'true', 'are empty where only the case of the address changes, and has changed'],
  ]),
  ...of(`${folder}/client-data-change.ts`, calls, [
    ['key: ({ externalUserId }) => externalUserId,', '', 'for one client run one after the other'],
  ]),
  ...of(`${folder}/partner-client-data.service.ts`, calls, [
    [
      'if (!differs && !(await changes.isUnderWay(externalUserId)))',
      'if (false)',
      'writes, publishes and calls nothing if nothing differs',
    ],
  ]),
]
