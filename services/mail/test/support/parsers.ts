import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type AddressObject, simpleParser } from 'mailparser'

/** The tested properties of a message, as a parser reads it. */
export interface Read {
  /** The names of headers, in lower case. */
  readonly names: readonly string[]
  /** Names with addresses. */
  readonly from: readonly (readonly [string, string])[]
  readonly to: readonly (readonly [string, string])[]
  readonly cc: readonly (readonly [string, string])[]
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Name, media type, disposition, size. */
  readonly files: readonly (readonly [string, string, string, number])[]
  readonly defects: readonly string[]
}

const program = fileURLToPath(new URL('parse-mail.py', import.meta.url))

/** Parses with Python's module email. */
async function byPython(sources: readonly Buffer[]): Promise<Read[]> {
  const input = JSON.stringify(sources.map((source) => source.toString('base64')))
  return JSON.parse(execFileSync('python3', [program], { input, maxBuffer: 2 ** 28 }).toString()) as Read[]
}

const addresses = (field: AddressObject | AddressObject[] | undefined) =>
  [field ?? []].flat().flatMap(({ value }) => value.map(({ name, address }) => [name, address ?? ''] as const))

/** Parses with mailparser. */
async function byMailparser(source: Buffer): Promise<Read> {
  const read = await simpleParser(source, { keepCidLinks: true, skipTextToHtml: true })
  return {
    ...{ names: read.headerLines.map(({ key }) => key), from: addresses(read.from), to: addresses(read.to), cc: addresses(read.cc) },
    ...{ subject: read.subject ?? '', text: read.text ?? '', html: read.html || '', defects: [] },
    files: read.attachments.map(({ filename = '', contentType, contentDisposition, size }) => [
      filename,
      contentType,
      contentDisposition ?? '',
      size,
    ]),
  }
}

/** The parsers, each of which reads several messages. */
export const parsers = { python: byPython, mailparser: (sources: readonly Buffer[]) => Promise.all(sources.map(byMailparser)) }
