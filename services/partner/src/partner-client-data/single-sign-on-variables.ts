import { integer, type Rule, text, url } from '@caseway/kit/config'
import { staysOnThisMachine } from '@caseway/kit/database-address'

/** The single sign-on system; without `SSO_URL` there is none. `singleSignOnRule` belongs to them. */
export const singleSignOnVariables = {
  SSO_URL: url({
    ...{ shared: true, optional: true },
    help: 'Base URL of the single sign-on system of the accounting platform (SCIM 2.0, with `/Users` below it); without it no such system is called',
  }),
  SSO_TOKEN: text({ ...{ shared: true, optional: true, secret: true }, help: 'Bearer token for the single sign-on system' }),
  SSO_TIMEOUT_MS: integer({
    ...{ shared: true, default: 1_500, min: 1, max: 30_000 },
    help: 'Timeout of a request to the single sign-on system, in milliseconds; a change makes up to three, and the caller waits four seconds',
  }),
}

/** The rule of `singleSignOnVariables`: TLS unless the system is on this machine, and no token without an address. */
export const singleSignOnRule: Rule<typeof singleSignOnVariables> = ({ ssoUrl, ssoToken }, nameOf) => {
  if (ssoUrl === undefined) return ssoToken === undefined ? [] : [`${nameOf('SSO_TOKEN')} needs ${nameOf('SSO_URL')}.`]
  if (ssoUrl.startsWith('https:') || staysOnThisMachine(ssoUrl)) return []
  return [`${nameOf('SSO_URL')} must begin with https://: data of clients are sent there.`]
}
