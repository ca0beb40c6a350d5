import { unavailable } from '@caseway/kit/errors'
import { createTransport } from 'nodemailer'
import { messageOf, noAccess } from './mail-message.client.js'
import { MailRefused, type MailSender } from './mail-sender.js'

interface SmtpOptions {
  /** `smtp://` (STARTTLS) or `smtps://`, with user and password. */
  readonly url: string
  readonly from: string
  /** Whether mails may be sent to a server without TLS. */
  readonly insecure: boolean
  /** How long the server may stay silent, in milliseconds. */
  readonly timeoutMs: number
}

/** The fields of an error of nodemailer that are used here. */
interface SmtpError {
  readonly code?: string
  readonly command?: string
  readonly responseCode?: number
  readonly timeoutType?: string
  readonly syscall?: string
}

/** Whether the connection ended at a point at which the server may have accepted the mail. */
const isUncertain = ({ code, responseCode, timeoutType, syscall }: SmtpError) => {
  if (responseCode !== undefined) return false
  if (code === 'ETIMEDOUT') return timeoutType === 'SOCKET_TIMEOUT'
  return code === 'ECONNECTION' || (code === 'ESOCKET' && (syscall === 'read' || syscall === 'write'))
}

/** Whether the server has refused the recipient or the mail itself for good. Refused credentials are not final: an operator can correct them. */
const isFinal = ({ code, command, responseCode = 0 }: SmtpError) =>
  responseCode >= 500 && code !== 'EAUTH' && (command === 'RCPT TO' || command === 'DATA')

/** Keeps only codes, because servers repeat addresses in their messages. */
function errorOf(error: SmtpError): Error {
  const message = `SMTP: ${[error.code, error.command, error.responseCode, error.timeoutType].filter((part) => part !== undefined).join(' ')}`
  if (isFinal(error)) return new MailRefused(message)
  return isUncertain(error) ? new Error(`${message}, and it is unknown whether the mail was accepted`) : unavailable(new Error(message))
}

/** Sends over SMTP (RFC 5321) with nodemailer. Certificates are verified. */
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
