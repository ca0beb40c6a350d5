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
  ...of(`${folder}/scim-single-sign-on.client.ts`, faults, [
    ['if (isTaken(answer)) throw emailTakenByClient()', '', 'says at the last moment that somebody has the address'],
    ['if (remaining === operations.length) throw ssoUnavailable(failed)', '', 'that fails before it has changed anything'],
    ['if (status === 404 && ifMissing !== undefined) return ifMissing', '', 'and knows the person no more'],
    ['return anew\n', 'return undefined\n', 'and knows the person by another id'],
    ['isRefusal(answer.status) && hasNothingOf(after, changes)', 'false', 'and refuses the change, of which it has nothing'],
    ['isRefusal(answer.status) && hasNothingOf(after, changes)', 'isRefusal(answer.status)', 'and refuses the rest of the change'],
    ['if (status !== 200) throw', 'if (status > 500) throw', 'that fails before it has changed anything'],
  ]),
  ...of(`${folder}/scim-user.ts`, scim, [
    ['const value = JSON.stringify(email)', 'const value = `"${email}"`', 'finds nobody but whom it names'],
    ['others.length > 0', 'false', 'names two'],
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
