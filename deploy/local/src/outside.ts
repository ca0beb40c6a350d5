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
 * The external accounting platform, without which what needs one answers 503; the single sign-on system; and the hosts with private addresses to which
 * webhooks may be sent.
 */
const partnerVariablesOf = (env: NodeJS.ProcessEnv): Record<string, string> => ({
  ...passedOn(env, /^PARTNER_(?:TOKEN_URL|API_URL|CLIENT_|REDIRECT_URI|AUTHORIZATION_URL|REVOCATION_URL|ISSUER|TIMEOUT_MS)/),
  ...passedOn(env, /^SSO_/),
  ...passedOn(env, /^OUTBOUND_PRIVATE_HOSTS$/),
})

/** How mailboxes are connected to, how often, how much is sent and how it is signed, and whether their passwords are shown to their owners. */
const mailboxVariablesOf = (env: NodeJS.ProcessEnv): Record<string, string> =>
  passedOn(
    env,
    /^(?:MAIL_(?:ATTACHED_BYTES|BACKFILL_|CA_FILE|DKIM_FOLDER|DNS_SERVERS|FETCH_|MAILBOXES|MESSAGES_PER_HOUR|OAUTH2_|ROLES|SENDING_MAILBOXES|TRACE_RETENTION_DAYS)|MASK_MAIL_PASSWORDS$)/,
  )

/** What services use of the outside world, as the environment of the launcher names it. */
export const outsideVariablesOf = (env: NodeJS.ProcessEnv, home: Home): Record<string, string> => ({
  ...mailVariablesOf(env, home),
  ...fileVariablesOf(env),
  ...storageVariablesOf(env),
  ...partnerVariablesOf(env),
  ...mailboxVariablesOf(env),
})

/** @throws ConfigError that names everything that is not usable of what is passed on, whichever service it is for */
export function requireUsable(env: NodeJS.ProcessEnv, home: Home): void {
  const declared = [...definitions.map(({ config }) => config), gatewayConfig].flatMap((config) => config.variables())
  const problems = unusable(declared, { ...outsideVariablesOf(env, home), ...callerLimitsOf(env) })
  if (problems.length > 0) throw new ConfigError(problems)
}
