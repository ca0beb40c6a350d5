import { domainToASCII } from 'node:url'
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

/** The names of headers in lower case, each with its values as they were written. */
const namesAndValues = (lines: HeaderLines) =>
  lines.map(
    ({ key, line }) =>
      [
        clean(key),
        clean(inUtf8(line).slice(line.indexOf(':') + 1))
          .replace(/\s*\r?\n\s+/g, ' ')
          .trim(),
      ] as const,
  )

export function headerOf(parsed: MailParser) {
  const lines = namesAndValues(parsed.headerLines || [])
  /** The library puts brackets around whatever is there: what it has read counts only where encoded words have to be decoded. */
  const named = (header: string, read: string | string[] | undefined) => {
    const written = lines.flatMap(([name, value]) => (name === header ? value : [])).join(' ')
    return identifiers(written.includes('=?') ? clean([read ?? []].flat().join(' ')) : written)
  }
  return {
    from: addresses(parsed.from)[0] ?? null,
    ...{ to: addresses(parsed.to), cc: addresses(parsed.cc), subject: clean(parsed.subject) },
    ...{ messageId: identifier(parsed.messageId), lines },
    ...{ inReplyTo: named('in-reply-to', parsed.inReplyTo)[0] ?? null, references: named('references', parsed.references) },
  }
}
