import type { SendMailOptions } from 'nodemailer'
import type { Mail } from './mail-sender.js'

/** Nodemailer must neither read files nor fetch URLs that the content of a mail names. */
export const noAccess = { disableFileAccess: true, disableUrlAccess: true } as const

/** Refuses control characters, so that no value can add a header (RFC 5322 2.2). @throws Error */
function requireLine(value: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused.
  if (/[\u0000-\u001f\u007f]/.test(value)) throw new Error('A header of a mail has a control character.')
  return value
}

/** The domain of `Caseway <no-reply@example.com>`, or of an address without a name. */
const domainOf = (from: string) => /@([^\s<>@]+)>?\s*$/.exec(from)?.[1] ?? 'localhost'

/** A mail in the form of nodemailer, with the header that suppresses automatic replies (RFC 3834). */
export const messageOf = (from: string, { id, to, subject, text, html }: Mail): SendMailOptions => ({
  from: requireLine(from),
  messageId: `<${id}@${domainOf(from)}>`,
  to: { name: '', address: requireLine(to) },
  subject: requireLine(subject),
  text,
  html,
  textEncoding: 'quoted-printable',
  headers: { 'Auto-Submitted': 'auto-generated' },
})
