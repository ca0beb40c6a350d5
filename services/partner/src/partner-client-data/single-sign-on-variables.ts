import { integer, type Rule, text, url } from '@caseway/kit/config'
import { staysOnThisMachine } from '@caseway/kit/database-address'

/** Without an address there is no single sign-on system, and none is asked. */
export const singleSignOnVariables = {
  SSO_URL: url({
    ...{ shared: true, optional: true },
    help: 'Address of the single sign-on system of the accounting platform (SCIM 2.0, `/Users` is below it); without it none is asked',
  }),
  SSO_TOKEN: text({ ...{ shared: true, optional: true, secret: true }, help: 'Bearer token for it' }),
  SSO_TIMEOUT_MS: integer({
    ...{ shared: true, default: 1_500, min: 1, max: 30_000 },
    help: 'Timeout of a request to it, in milliseconds; a change takes up to three, and the caller waits four seconds',
  }),
}

/** It is reached over TLS unless it is on this machine; a token that nobody would get is a mistake. */
export const singleSignOnRule: Rule<typeof singleSignOnVariables> = ({ ssoUrl, ssoToken }, nameOf) => {
  if (ssoUrl === undefined) return ssoToken === undefined ? [] : [`${nameOf('SSO_TOKEN')} needs ${nameOf('SSO_URL')}.`]
  if (ssoUrl.startsWith('https:') || staysOnThisMachine(ssoUrl)) return []
  return [`${nameOf('SSO_URL')} must begin with https://: data of clients are sent there.`]
}
