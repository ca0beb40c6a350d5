import type { ImapFlow, ImapFlowOptions } from 'imapflow'
import { PersonalImap } from './imap-folders.client.js'
import { type Failed, failedOf, MailConnectionError } from './mail-connection-error.js'
import { isStartTls, isTls, type MailDialer, type Timeouts, usualTimeouts } from './mail-dialer.js'
import type { Credentials, MailboxAccess } from './mailbox-access.js'
import { temporaryCodes } from './temporary-codes.js'

/** The options that a caller may set: address, encryption and login are not among them. */
export type ImapSession = Pick<ImapFlowOptions, 'qresync' | 'disableAutoIdle' | 'maxIdleTime' | 'missingIdleCommand' | 'socketTimeout'>

const mib = 1_048_576

/** The most bytes that imapflow buffers of an answer. Large messages are fetched in chunks, but a header may be as long as its message. */
const answerLimits = { maxLiteralSize: 128 * mib, maxLineLength: 64 * mib, maxResponseSize: 192 * mib }

/** Opens an authenticated connection to an IMAP server. @throws MailConnectionError */
export type OpenImap = (mailbox: MailboxAccess, session?: ImapSession) => Promise<ImapFlow>

/** Refusals of a login that say nothing about the password (RFC 5530, 3). */
const temporary = new Set([...temporaryCodes, 'CONTACTADMIN'])

/** Some servers refuse one connection too many without a code of its own (Gmail: "[ALERT] Too many simultaneous connections"). */
const tooMany = /\btoo many\b.*\b(connections|sessions|logins)\b|\bmaximum number of (connections|sessions)\b/i

/**
 * Connects with imapflow. Its log is off, because it would contain answers of servers. An `error` event on an open connection closes it; the command
 * in flight rejects as well, so that callers need no listener.
 */
export const imapConnection =
  (dial: MailDialer, timeouts: Timeouts = usualTimeouts): OpenImap =>
  async (mailbox, session = {}) => {
    try {
      const { address, tls, servername } = await dial(mailbox)
      const client = new PersonalImap({
        ...{ socketTimeout: timeouts.idleMs, ...session, ...answerLimits, logger: false },
        ...{ host: address, port: mailbox.serverPort, tls: { ...tls, ca: [...tls.ca] }, ...(servername !== undefined && { servername }) },
        ...{ secure: isTls(mailbox), ...(!isTls(mailbox) && { doSTARTTLS: isStartTls(mailbox) }) },
        auth: { user: mailbox.userLogin, ...secretOf(mailbox.credentials) },
        ...{ connectionTimeout: timeouts.connectMs, greetingTimeout: timeouts.greetingMs },
      })
      client.on('error', () => client.close())
      await client.connect()
      return client
    } catch (error) {
      throw new MailConnectionError(failedAtImap(error))
    }
  }

const secretOf = (credentials: Credentials) =>
  'password' in credentials ? { pass: credentials.password } : { accessToken: credentials.accessToken }

function failedAtImap(error: unknown): Failed {
  const { authenticationFailed, tlsFailed, serverResponseCode, response } = error as Record<string, unknown>
  if (authenticationFailed) return temporary.has(String(serverResponseCode)) || tooMany.test(String(response)) ? 'protocol' : 'auth'
  if (tlsFailed) return 'tls'
  return failedOf(error) ?? 'protocol'
}
