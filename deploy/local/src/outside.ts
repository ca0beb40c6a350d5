import { definitions } from '@caseway/command/definitions'
import { config as gatewayConfig } from '@caseway/gateway/config'
import { ConfigError, unusable } from '@caseway/kit/config'
import { callerLimitsOf } from './caller-limits.js'
import { fileVariablesOf } from './files.js'
import type { Home } from './home.js'
import { mailVariablesOf } from './mails.js'
import { passedOn } from './passed-on.js'
import { storageVariablesOf } from './storage.js'

/**
 * The variables of the accounting platform, without which its routes answer 503, of the single sign-on system, and of the private hosts to which
 * webhooks may be sent.
 */
const partnerVariablesOf = (env: NodeJS.ProcessEnv): Record<string, string> => ({
  ...passedOn(env, /^PARTNER_(?:TOKEN_URL|API_URL|CLIENT_|REDIRECT_URI|AUTHORIZATION_URL|REVOCATION_URL|ISSUER|TIMEOUT_MS)/),
  ...passedOn(env, /^SSO_/),
  ...passedOn(env, /^OUTBOUND_PRIVATE_HOSTS$/),
})

/** The variables for connecting mailboxes: intervals, sending limits, signatures, and whether passwords are shown to their owners. */
const mailboxVariablesOf = (env: NodeJS.ProcessEnv): Record<string, string> =>
  passedOn(
    env,
    /^(?:MAIL_(?:ATTACHED_BYTES|BACKFILL_|CA_FILE|DKIM_FOLDER|DNS_SERVERS|FETCH_|MAILBOXES|MESSAGES_PER_HOUR|OAUTH2_|ROLES|SENDING_MAILBOXES|TRACE_RETENTION_DAYS)|MASK_MAIL_PASSWORDS$)/,
  )

/** All variables for external systems that are set in the launcher's environment. */
export const outsideVariablesOf = (env: NodeJS.ProcessEnv, home: Home): Record<string, string> => ({
  ...mailVariablesOf(env, home),
  ...fileVariablesOf(env),
  ...storageVariablesOf(env),
  ...partnerVariablesOf(env),
  ...mailboxVariablesOf(env),
})

/** Checks these variables for all services together. @throws ConfigError that lists every invalid one */
export function requireUsable(env: NodeJS.ProcessEnv, home: Home): void {
  const declared = [...definitions.map(({ config }) => config), gatewayConfig].flatMap((config) => config.variables())
  const problems = unusable(declared, { ...outsideVariablesOf(env, home), ...callerLimitsOf(env) })
  if (problems.length > 0) throw new ConfigError(problems)
}
