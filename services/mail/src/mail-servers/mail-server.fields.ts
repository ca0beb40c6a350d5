import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { email, type Field, FieldError, type Kind, line } from '@caseway/kit/fields'

const hostName = /^(?=.{1,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*$/

const text = line({ max: 253, min: 1 })

/** Adds a check to a kind of text. */
const narrowed = (kind: Kind<string>, narrow: (text: string) => string | FieldError): Kind<string> => ({
  ...kind,
  decode(wire, zone) {
    const value = kind.decode(wire, zone)
    return value instanceof FieldError ? value : narrow(value)
  },
})

/** The name of a host (RFC 1123), or an IP address. Internationalised names are stored in their ASCII form (RFC 5891). */
export const mailHost = narrowed(text, (value) => {
  if (isIP(value) !== 0) return value
  // domainToASCII would cut the name at a character that ends a host in a URL.
  const name = /[\s/\\:@?#%[\]]/.test(value) ? '' : domainToASCII(value)
  return hostName.test(name) ? name : new FieldError('must be the name of a host, as imap.example.com')
})

const { input, ...address }: Field<string> = email

/** An email address, or an empty text. */
export const emailOrNone: Kind<string> = {
  ...(address as Kind<string>),
  input: { type: input.type as string, maxLength: 254 },
  output: { type: 'string' },
  decode: (wire, zone) => (wire === '' ? '' : email.decode(wire, zone)),
}
