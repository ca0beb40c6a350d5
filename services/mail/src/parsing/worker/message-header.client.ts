import { domainToASCII } from 'node:url'
import libmime from 'libmime'
import type { AddressObject, HeaderLines, MailParser } from 'mailparser'
import { clean, identifier, identifiers } from './clean-text.ts'
import { inUtf8 } from './message-bytes.ts'

/** The address in lower case, with its domain in ASCII (RFC 5891), as addresses are stored: the library decodes it to Unicode. */
function plainAddress(written: string): string {
  const [, local = '', domain = ''] = /^(.*@)(.+)$/s.exec(written) ?? []
  // domainToASCII would cut the domain at a character that ends a host in a URL.
  const isDecoded = /[^\0-\x7f]/.test(domain) && !/[\s/\\:?#%[\]]/.test(domain)
  return (isDecoded ? `${local}${domainToASCII(domain) || domain}` : written).toLowerCase()
}

const addresses = (field: AddressObject | AddressObject[] | undefined) =>
  [field ?? []]
    .flat()
    .flatMap(({ value }) =>
      value.flatMap((one) => one.group ?? one).map(({ address, name }) => ({ address: plainAddress(clean(address)), name: clean(name) })),
    )

/** The value of a header line, unfolded and with its encoded words (RFC 2047) decoded. */
const valueIn = (line: string) =>
  clean(
    libmime.decodeWords(
      inUtf8(line)
        .slice(line.indexOf(':') + 1)
        .replace(/\s*\r?\n\s+/g, ' '),
    ),
  ).trim()

/** Header names in lower case, with their values. */
const namesAndValues = (lines: HeaderLines) => lines.map(({ key, line }) => [clean(key), valueIn(line)] as const)

export function headerOf(parsed: MailParser) {
  const lines = namesAndValues(parsed.headerLines || [])
  /** Read from the lines themselves, because the library puts brackets around whatever is there. */
  const named = (header: string) => identifiers(lines.flatMap(([name, value]) => (name === header ? value : [])).join(' '))
  return {
    from: addresses(parsed.from)[0] ?? null,
    ...{ to: addresses(parsed.to), cc: addresses(parsed.cc), subject: clean(parsed.subject) },
    ...{ messageId: identifier(parsed.messageId), lines },
    ...{ inReplyTo: named('in-reply-to')[0] ?? null, references: named('references') },
  }
}
