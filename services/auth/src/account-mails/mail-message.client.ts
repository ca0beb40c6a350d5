import type { SendMailOptions } from 'nodemailer'
import type { Mail } from './mail-sender.js'

/** Nothing of a mail is read from files or fetched, whatever it says. */
export const noAccess = { disableFileAccess: true, disableUrlAccess: true } as const

/** No header of ours has a line break (RFC 5322 2.2). */
function requireLine(value: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused.
  if (/[\u0000-\u001f\u007f]/.test(value)) throw new Error('A header of a mail has a control character.')
  return value
}

/** What nodemailer makes of a mail. No machine answers it with "out of office" (RFC 3834). */
export const messageOf = (from: string, { to, subject, text, html }: Mail): SendMailOptions => ({
  from: requireLine(from),
  to: { name: '', address: requireLine(to) },
  subject: requireLine(subject),
  text,
  html,
  textEncoding: 'quoted-printable',
  headers: { 'Auto-Submitted': 'auto-generated' },
})
