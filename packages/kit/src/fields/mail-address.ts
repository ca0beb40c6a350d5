import { domainToASCII } from 'node:url'
import { IsEmail } from 'typebox/format'
import { FieldError } from './field.js'
import { textual } from './textual.js'

/** RFC 5321 4.5.3.1.1 and 4.5.3.1.3. */
const lengths = { localPart: 64, address: 254 }

/** The printable characters of US-ASCII. */
const printable = /^[ -~]*$/

const isMailAddress = (value: string) =>
  value.length <= lengths.address && value.lastIndexOf('@') <= lengths.localPart && IsEmail(value) && printable.test(value)

/** Characters that are not part of a domain, and at which domainToASCII cuts it, because they end a host in a URL. */
const endsHost = /[\s/\\:@?#%[\]]/

/**
 * The address with an internationalised domain in its ASCII form (RFC 5890, A-labels), so that both spellings are one address. An address without a valid
 * domain is unchanged.
 */
export function withAsciiDomain(address: string): string {
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1)
  if (at === -1 || printable.test(domain) || endsHost.test(domain)) return address
  return `${address.slice(0, at)}@${domainToASCII(domain) || domain}`
}

const mailAddress = textual({ format: 'email', maxLength: lengths.address }, (value) => {
  const address = value.length <= lengths.address ? withAsciiDomain(value) : value
  return isMailAddress(address) ? address : new FieldError('must be a valid e-mail address')
})

/**
 * An e-mail address (RFC 5322) that SMTP can carry: at most 254 characters, 64 of them before the `@`. An internationalised domain is accepted, and stored in
 * its ASCII form; elsewhere the characters are printable US-ASCII, quotes included. An address is thus safe in a header, and needs no server with SMTPUTF8
 * (RFC 6531).
 */
export const email: typeof mailAddress = {
  ...mailAddress,
  input: { ...mailAddress.input, format: 'idn-email', description: 'An internationalised domain is stored and shown in ASCII (RFC 5890).' },
}
