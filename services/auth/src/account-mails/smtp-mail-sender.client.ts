import { unavailable } from '@caseway/kit/errors'
import { createTransport } from 'nodemailer'
import { messageOf, noAccess } from './mail-message.client.js'
import { MailRefused, type MailSender } from './mail-sender.js'

interface SmtpOptions {
  /** `smtp://` (STARTTLS) or `smtps://`, with user and password. */
  readonly url: string
  readonly from: string
  /** Whether a server without TLS gets mails. */
  readonly insecure: boolean
  /** How long the server may say nothing, in milliseconds. */
  readonly timeoutMs: number
}

/** Errors of nodemailer, as far as they are looked at here. */
interface SmtpError {
  readonly code?: string
  readonly command?: string
  readonly responseCode?: number
  readonly timeoutType?: string
  readonly syscall?: string
}

/** Whether the connection ended when nobody knows how far the server had come. */
const isUncertain = ({ code, responseCode, timeoutType, syscall }: SmtpError) => {
  if (responseCode !== undefined) return false
  if (code === 'ETIMEDOUT') return timeoutType === 'SOCKET_TIMEOUT'
  return code === 'ECONNECTION' || (code === 'ESOCKET' && (syscall === 'read' || syscall === 'write'))
}

/** A server that refuses the recipient or the mail itself will not take it later. What it refuses of us, an operator can set right. */
const isFinal = ({ code, command, responseCode = 0 }: SmtpError) =>
  responseCode >= 500 && code !== 'EAUTH' && (command === 'RCPT TO' || command === 'DATA')

/** Only codes are kept of an error: servers repeat addresses in what they say. */
function errorOf(error: SmtpError): Error {
  const said = `SMTP: ${[error.code, error.command, error.responseCode, error.timeoutType].filter((part) => part !== undefined).join(' ')}`
  if (isFinal(error)) return new MailRefused(said)
  return isUncertain(error) ? new Error(`${said}, and nobody knows whether the mail was taken`) : unavailable(new Error(said))
}

/** Sends by a server (RFC 5321), by nodemailer. Certificates are verified. */
export function smtpMailSender({ url, from, insecure, timeoutMs }: SmtpOptions): MailSender {
  const timeouts = { connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs, dnsTimeout: timeoutMs }
  const transport = createTransport({ url, ...timeouts, ...noAccess, requireTLS: !insecure })
  return {
    async send(mail) {
      await transport.sendMail(messageOf(from, mail)).catch((error: SmtpError) => {
        throw errorOf(error)
      })
    },
  }
}
