import { createTransport, type Transporter } from 'nodemailer'
import type SMTPTransport from 'nodemailer/lib/smtp-transport'
import XOAuth2 from 'nodemailer/lib/xoauth2'
import { type Failed, failedOf, MailConnectionError } from './mail-connection-error.js'
import { type Dialed, isStartTls, isTls, type MailDialer, type Timeouts, usualTimeouts } from './mail-dialer.js'
import type { Credentials, MailboxAccess } from './mailbox-access.js'

/** A transport to an SMTP server; it connects when it is used. @throws OutboundError for a host that may not be connected to */
export type SmtpTransport = (mailbox: MailboxAccess) => Promise<Transporter<SMTPTransport.SentMessageInfo>>

/** Uses nodemailer with its log off, and without access to files and URLs that a message names. */
export const smtpTransport =
  (dial: MailDialer, timeouts: Timeouts = usualTimeouts): SmtpTransport =>
  async (mailbox) => {
    const options = smtpOptions(mailbox, await dial(mailbox), timeouts)
    const auth = { user: mailbox.userLogin, ...secretOf(mailbox.credentials) } as SMTPTransport.Options['auth']
    return createTransport({ ...options, auth, disableFileAccess: true, disableUrlAccess: true })
  }

/** nodemailer's options for address, encryption and timeouts. */
export const smtpOptions = (mailbox: MailboxAccess, { address, tls }: Dialed, timeouts: Timeouts) => ({
  ...{ host: address, port: mailbox.serverPort, tls: { ...tls, ca: [...tls.ca] } },
  ...{ secure: isTls(mailbox), requireTLS: isStartTls(mailbox), ignoreTLS: !isTls(mailbox) && !isStartTls(mailbox) },
  ...{ connectionTimeout: timeouts.connectMs, greetingTimeout: timeouts.greetingMs, socketTimeout: timeouts.idleMs },
  // An address literal (RFC 5321, 4.1.3): the name of this host is not disclosed.
  ...{ logger: false, name: '[127.0.0.1]' },
})

const secretOf = (credentials: Credentials) =>
  'password' in credentials ? { pass: credentials.password } : { type: 'OAuth2', accessToken: credentials.accessToken }

/** nodemailer's credentials; undefined where the password is empty. */
export function smtpLogin({ userLogin: user, credentials }: Pick<MailboxAccess, 'userLogin' | 'credentials'>) {
  if ('accessToken' in credentials) return { oauth2: new XOAuth2({ user, accessToken: credentials.accessToken }, false) as never }
  return credentials.password === '' ? undefined : { user, pass: credentials.password }
}

/** The step that failed, by an error of nodemailer. */
export function failedAtSmtp(error: unknown): Failed {
  const { code, originalCode, timeoutType, responseCode } = error as Record<string, unknown>
  if (timeoutType !== undefined) return timeoutType === 'CONNECT_TIMEOUT' ? 'connect' : 'protocol'
  // nodemailer puts its own code in `code`, and the one of the socket in `originalCode`.
  const beneath = failedOf(originalCode === undefined ? error : { code: originalCode })
  if (beneath) return beneath
  // 4xx: the server cannot check the login now (RFC 4954, 4).
  if (code === 'EAUTH' || code === 'ENOAUTH') return Number(responseCode) >= 500 ? 'auth' : 'protocol'
  return code === 'ETLS' ? 'tls' : 'protocol'
}

/** Signs in to the server and disconnects. @throws MailConnectionError */
export const trySmtp = (transport: SmtpTransport) => async (mailbox: MailboxAccess) => {
  try {
    const connected = await transport(mailbox)
    await connected.verify().finally(() => connected.close())
  } catch (error) {
    throw new MailConnectionError(failedAtSmtp(error))
  }
}
