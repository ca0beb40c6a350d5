import { of } from './of.mjs'

const faults = 'test-e2e/client-data-faults.test.ts'
const calls = 'test-e2e/client-data.test.ts'
const scim = 'services/partner/src/partner-client-data/scim-user.test.ts'
const folder = 'services/partner/src/partner-client-data'

/** All or nothing of a change of client data, in its order. */
export default [
  ...of(`${folder}/client-data-change.job.ts`, faults, [
    ['holders.some(({ id }) => id !== person?.id)', 'false', 'refuses an address that an employee has, or another client', calls],
    ['await accounts.release(run.payload.id)', '', 'that fails before it has changed anything'],
    ["code === 'SSO_UNAVAILABLE' && !isFirst ? undefined : code", 'code', 'that is gone while it changes'],
    ['count += await', 'count = await', 'counts the cards of every office', calls],
    ['if (!singleSignOn || !changesThere(wanted)) return null', 'if (!singleSignOn) return null', 'nor about a company'],
  ]),
  ...of(`${folder}/client-data-errors.ts`, faults, [
    ["if (error.code === 'CHANGE_ENDED') return 'CLIENT_USER_NOT_FOUND'", '', 'goes with their last office meanwhile'],
  ]),
  ...of(`${folder}/scim-single-sign-on.client.ts`, faults, [
    [
      'if (isTaken(answer) && (!after || remaining > 0)) throw emailTakenByClient()',
      '',
      'says at the last moment that somebody has the address',
    ],
    [
      'remaining === operations.length ? ssoUnavailable(failed) : outcomeUnknown(failed)',
      'outcomeUnknown(failed)',
      'that fails before it has',
    ],
    ['if (status === 404 && ifMissing !== undefined) return ifMissing', '', 'and knows the person no more'],
    ['return anew\n', 'return undefined\n', 'and knows the person by another id'],
    ['if (isRefusal(answer.status)) return failed', '', 'and refuses the change, of which it has nothing'],
    ['if (!isDone(status)) throw outcomeUnknown', 'if (false) throw outcomeUnknown', 'and refuses the rest of the change'],
    ['await orUnknown(takeBack(after.id, undoingOf(after, had, before, changes)))', '', 'that refuses a part of the change'],
    ['was && after.id === id ? was : user', 'user', 'and refuses the rest of the change'],
    ['if (status !== 200) throw', 'if (status > 500) throw', 'that fails before it has changed anything'],
  ]),
  ...of(`${folder}/scim-user.ts`, scim, [
    ['const value = JSON.stringify(email)', 'const value = `"${email}"`', 'finds nobody but whom it names'],
    ['!user || others.length > 0', '!user', 'names two'],
    ['found.length < 2', 'found.length < 1', 'names one user with the address'],
    ['!left.includes(one.path) && hasNew(one)', 'hasNew(one)', 'leaves the old address where it is still there'],
    ['!left.includes(one.path) && hasNew(one)', '!left.includes(one.path)', 'and what somebody else has changed'],
    ['!found.every((user) => hasAddress(user, email))', 'false', 'names somebody else'],
    ['value !== email', 'true', 'is nothing when the case of the address alone'],
  ]),
  ...of(`${folder}/client-data-change.ts`, calls, [
    ['key: ({ externalUserId }) => externalUserId,', '', 'for one client run one after the other'],
  ]),
  ...of(`${folder}/partner-client-data.service.ts`, calls, [
    ['if (!differs && !(await changes.isUnderWay(externalUserId)))', 'if (false)', 'writes nothing, publishes nothing and asks nobody'],
  ]),
]
