import { flag, integer, type Rule, text, url, variable } from '@caseway/kit/config'
import { email, FieldError } from '@caseway/kit/fields'

/** The address of a mailbox (RFC 5322 3.4), alone or in angle brackets after a name. */
const addressIn = /^(?:[^<>\r\n]*<([^<>]+)>|([^<>]+))$/

const isMailbox = (value: string) => {
  const [, bracketed, alone] = addressIn.exec(value) ?? []
  return !(email.decode(bracketed ?? alone, '') instanceof FieldError)
}

export const mailVariables = {
  SMTP_URL: url({
    ...{ optional: true, secret: true, protocols: ['smtp', 'smtps'] },
    help: 'Server that sends the mails about accounts, as `smtp://user:password@mail.example.com:587` (STARTTLS) or `smtps://`; without it they are written to `CASEWAY_HOME/mails`',
  }),
  SMTP_INSECURE: flag({ default: false, help: 'Send mails in plain text to a server that offers no TLS' }),
  SMTP_TIMEOUT_MS: integer({ default: 20_000, min: 1, help: 'Timeout for silence of the mail server, in milliseconds' }),
  MAIL_FROM: variable<string | undefined>(
    'an e-mail address, as `Caseway <no-reply@example.com>` or `no-reply@example.com`',
    (value) => (isMailbox(value) ? value : undefined),
    { optional: true, help: 'Sender of the mails; required with `AUTH_SMTP_URL`' },
  ),
  CASEWAY_HOME: text({
    shared: true,
    default: '.caseway',
    help: 'Folder whose subfolder `mails` gets the mails when no mail server is configured',
  }),
  EXPERT_PAGES_URL: url({
    optional: true,
    help: 'Base URL of the links in mails to employees; `#/invitation/<token>` and the like are appended. Default: `EXPERT_URL`',
  }),
  CLIENT_PAGES_URL: url({ optional: true, help: 'Base URL of the links in mails to clients. Default: `CLIENT_URL`' }),
}

export const mailRule: Rule<typeof mailVariables> = ({ smtpUrl, mailFrom }, nameOf) =>
  smtpUrl && !mailFrom ? [`${nameOf('MAIL_FROM')} is required with ${nameOf('SMTP_URL')}.`] : []
