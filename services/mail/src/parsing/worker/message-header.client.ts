import { domainToASCII } from 'node:url'
import libmime from 'libmime'
import type { AddressObject, HeaderLines, MailParser } from 'mailparser'
import { clean, identifier, identifiers } from './clean-text.ts'
import { inUtf8 } from './message-bytes.ts'

/** In lower case, with the domain as the DNS has it (RFC 5891), in which form people are known: the library decodes it. */
function plainAddress(written: string): string {
  const [, local = '', domain = ''] = /^(.*@)(.+)$/s.exec(written) ?? []
  // What ends a host in a URL would be cut off.
  const isDecoded = /[^\0-\x7f]/.test(domain) && !/[\s/\\:?#%[\]]/.test(domain)
  return (isDecoded ? `${local}${domainToASCII(domain) || domain}` : written).toLowerCase()
}

const addresses = (field: AddressObject | AddressObject[] | undefined) =>
  [field ?? []]
    .flat()
    .flatMap(({ value }) =>
      value.flatMap((one) => one.group ?? one).map(({ address, name }) => ({ address: plainAddress(clean(address)), name: clean(name) })),
    )

/** In one line, with its encoded words (RFC 2047) decoded. */
const valueIn = (line: string) =>
  clean(
    libmime.decodeWords(
      inUtf8(line)
        .slice(line.indexOf(':') + 1)
        .replace(/\s*\r?\n\s+/g, ' '),
    ),
  ).trim()

/** The names of headers in lower case, each with its value. */
const namesAndValues = (lines: HeaderLines) => lines.map(({ key, line }) => [clean(key), valueIn(line)] as const)

export function headerOf(parsed: MailParser) {
  const lines = namesAndValues(parsed.headerLines || [])
  /** Of the lines themselves: the library puts brackets around whatever is there. */
  const named = (header: string) => identifiers(lines.flatMap(([name, value]) => (name === header ? value : [])).join(' '))
  return {
    from: addresses(parsed.from)[0] ?? null,
    ...{ to: addresses(parsed.to), cc: addresses(parsed.cc), subject: clean(parsed.subject) },
    ...{ messageId: identifier(parsed.messageId), lines },
    ...{ inReplyTo: named('in-reply-to')[0] ?? null, references: named('references') },
  }
}
