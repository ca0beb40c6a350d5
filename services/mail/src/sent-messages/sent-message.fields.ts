import { domainToASCII } from 'node:url'
import { decodeText, email, FieldError, jsonValue, type Kind, line, paragraph } from '@caseway/kit/fields'
import Type from 'typebox'
import { mostRecipients } from './sent-recipient.js'

/** Some texts; one text stands for a list of it. */
const listOf = (entry: Pick<Kind<string>, 'input' | 'decode'>): Kind<readonly string[]> => ({
  ...(line({ max: 998 }) as unknown as Kind<readonly string[]>),
  input: { type: ['array', 'string'], items: entry.input, maxItems: mostRecipients },
  decode(wire, zone) {
    const sent = typeof wire === 'string' ? [wire].filter((text) => text !== '') : wire
    if (!Array.isArray(sent)) return new FieldError('must be a list of texts')
    if (sent.length > mostRecipients) return new FieldError(`must have at most ${mostRecipients} entries`)
    const values = sent.map((text) => entry.decode(text, zone))
    const wrong = values.findIndex((value) => value instanceof FieldError)
    return wrong === -1 ? (values as string[]) : new FieldError(`${(values[wrong] as FieldError).text} (entry ${wrong + 1})`)
  },
})

const isAscii = (text: string) => /^[!-~]*$/.test(text)

/** The domain of an address in its form for the DNS (RFC 5891); an address that has none stays, and is refused as it is. */
function withAsciiDomain(address: string): string {
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1)
  // What ends a host in a URL would be cut off.
  if (at === -1 || isAscii(domain) || /[\s/\\:@?#%[\]]/.test(domain)) return address
  return `${address.slice(0, at)}@${domainToASCII(domain)}`
}

const address: Pick<Kind<string>, 'input' | 'decode'> = {
  input: { type: 'string', maxLength: 254 },
  decode: (wire, zone) => email.decode(typeof wire === 'string' ? withAsciiDomain(wire) : wire, zone),
}

export const addresses = listOf(address)
const id = Type.Union([Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), Type.String({ pattern: '^[1-9][0-9]{0,15}$' })])

/** Ids of files. */
export const fileIds = jsonValue(Type.Array(id, { maxItems: 50 }))

export const names = listOf(line({ max: 255 }))

/** More than a body of a request has room for. */
const mostCharacters = 2 ** 20

/** HTML as somebody has written it: nothing of it is shown here, so that all that can be stored is taken. */
export const html: Kind<string> = {
  ...paragraph({ max: mostCharacters }),
  input: { type: 'string', maxLength: mostCharacters },
  output: { type: 'string' },
  decode(wire) {
    const text = decodeText(wire)
    return text instanceof FieldError || text.length <= mostCharacters
      ? text
      : new FieldError(`must be at most ${mostCharacters} characters`)
  },
}
