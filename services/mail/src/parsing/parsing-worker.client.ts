import { isUtf8 } from 'node:buffer'
import { Readable } from 'node:stream'
import { domainToASCII } from 'node:url'
import escapeHtml from 'escape-html'
import {
  type AddressObject,
  type AttachmentStream,
  type HeaderLines,
  MailParser,
  type MessageText,
  type StructuredHeader,
  simpleParser,
} from 'mailparser'

/**
 * The program of a worker thread. It imports no other file of ours, because Node itself loads it, in tests as it is written.
 * What it answers can be stored: PostgreSQL takes neither NUL nor half of a surrogate pair.
 */
const textCharacters = 1_000_000
/** Of HTML: what is longer is shown without the images that stand in it, or as text. */
const htmlCharacters = 524_288
const mostAttachments = 1000
const priorities: Readonly<Record<string, number>> = { high: 2, low: 4 }
/** Of a message that is returned: its header. */
const returnedBytes = 256 * 1024
const options = {
  skipImageLinks: true,
  skipTextToHtml: true,
  skipTextLinks: true,
  keepCidLinks: true,
  checksumAlgo: false as const,
  // Of what is longer the library makes no text, and says so: it is made of the HTML without the bytes of images (`textOf`).
  maxHtmlLengthToParse: 1,
}

const clean = (text: string | undefined | null): string => (text ?? '').toWellFormed().replaceAll('\0', '\u{FFFD}')
/** A byte order mark stands where a part begins, which is at the beginning of a line. */
const bounded = (text: string | undefined | false) => clean((text || '').slice(0, textCharacters).replace(/^\uFEFF/gm, ''))
/** Of a text that stands beside HTML, in place of what the library makes of every text. */
const textToHtml = (text: string) =>
  `<div dir="auto" style="white-space:pre-wrap">${escapeHtml(text.slice(0, textCharacters).trim())}</div>`
const textsAsHtml = /<div dir="auto" style="white-space:pre-wrap">[^<]*<\/div>/g
const identifier = (text: string | undefined | null) => clean(text).trim().replace(/^<|>$/g, '') || null
/** Those in brackets; where there are none, words with an @: old programs write sentences beside an id, or no brackets. */
function identifiers(text: string): string[] {
  const bracketed = [...text.matchAll(/<([^<>\s]+)>/g)].flatMap(([, id]) => id ?? [])
  return bracketed.length > 0 ? bracketed : text.split(/[<>()",;\s]+/).filter((word) => word.includes('@'))
}

/** Quoted, in the url() of a style, or bare. */
const dataUrls = /"\s*data:[\w.+-]+\/[^"]*"|'\s*data:[\w.+-]+\/[^']*'|\(\s*data:[\w.+-]+\/[^()]*\)|=\s*data:[\w.+-]+\/[^\s"'<>]*/gi
const withoutData = (html: string) => html.replace(dataUrls, (url) => (url.startsWith('=') ? '=""' : `${url[0]}${url.at(-1)}`))
/** The same bytes: nothing is copied. */
const bufferOf = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

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

/** A line whose bytes the library gives as characters. The name in it is ASCII. */
function inUtf8(line: string): string {
  const bytes = Buffer.from(line, 'latin1')
  return isUtf8(bytes) ? bytes.toString() : line
}

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

/** In bytes. The library splits all that it is given at once into lines and holds them: those of a whole message take several times its size. */
const chunkBytes = 65_536

function* chunksOf(source: Uint8Array): Generator<Buffer> {
  for (let at = 0; at < source.byteLength; at += chunkBytes) yield bufferOf(source.subarray(at, at + chunkBytes))
}

/** Of the header and what follows it, in which a charset is looked for. */
const namedWithinBytes = 65_536

function headerIn(bytes: Buffer): Buffer {
  const ends = ['\r\n\r\n', '\n\n'].map((empty) => bytes.indexOf(empty)).filter((at) => at >= 0)
  return bytes.subarray(0, Math.min(...ends, returnedBytes))
}

/** The first charset that a message names: of its text, in which older programs write raw bytes. */
function charsetOf(bytes: Buffer): string | undefined {
  return bytes.toString('latin1', 0, headerIn(bytes).byteLength + namedWithinBytes).match(/\bcharset\s*=\s*"?([\w.:+-]+)/i)?.[1]
}

function decoded(bytes: Buffer, charset: string): Buffer {
  try {
    return Buffer.from(new TextDecoder(charset).decode(bytes))
  } catch {
    // Nobody knows the charset.
    return bytes
  }
}

/** With the header in UTF-8, which is what the library takes raw bytes for (RFC 6532). In lines: each may be written by another program. */
function* readableChunksOf(source: Uint8Array): Generator<Buffer> {
  const bytes = bufferOf(source)
  const header = headerIn(bytes)
  const charset = isUtf8(header) ? undefined : charsetOf(bytes)
  if (charset === undefined) return yield* chunksOf(source)
  for (const line of header.toString('latin1').split(/(?<=\n)/)) {
    const written = Buffer.from(line, 'latin1')
    yield isUtf8(written) ? written : decoded(written, charset)
  }
  yield* chunksOf(source.subarray(header.byteLength))
}

const streamOf = (source: Uint8Array) => Readable.from(readableChunksOf(source))

/** Names an attached message by its subject. It is read to its end; little more than its header is kept. */
async function nameBySubject(part: AttachmentStream): Promise<void> {
  let beginning: Buffer = Buffer.alloc(0)
  for await (const chunk of part.content as Readable)
    if (beginning.byteLength < namedWithinBytes) beginning = Buffer.concat([beginning, chunk])
  const { subject } = await simpleParser(streamOf(headerIn(beginning)), options)
  if (subject) part.filename = `${subject.slice(0, 200)}.eml`
}

/** Reads a message to its end. The bytes of its files are counted, and not kept. */
async function read(source: Uint8Array) {
  const parsed = Object.assign(new MailParser(options), { textToHtml })
  streamOf(source).pipe(parsed)
  const [files, named]: [AttachmentStream[], Promise<void>[]] = [[], []]
  let isTextOfHtml = false
  for await (const part of parsed as AsyncIterable<AttachmentStream | MessageText>) {
    if (part.type !== 'attachment') {
      isTextOfHtml = part.textConversionError !== undefined
      continue
    }
    files.push(part)
    part.content.once('end', () => part.release?.())
    // Nobody waits here: what the parser refuses in the middle has no end.
    if (part.contentType === 'message/rfc822' && !part.filename) named.push(nameBySubject(part).catch(() => undefined))
    part.content.resume()
  }
  await Promise.all(named)
  return { parsed, files, isTextOfHtml }
}

function headerOf(parsed: MailParser) {
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

/** Of HTML, as far as the library tells it: not of what is nested too deep. */
async function textOf(html: string): Promise<string> {
  const source = `Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n${bounded(withoutData(html))}`
  return (await simpleParser(Buffer.from(source), { ...options, maxHtmlLengthToParse: textCharacters })).text ?? ''
}

/** The library makes a part message/delivery-status a text among others, unless it is asked to keep it. */
async function reportOf(source: Uint8Array) {
  const { attachments } = await simpleParser(streamOf(source), { ...options, keepDeliveryStatus: true })
  const typed = (types: readonly string[]) => attachments.find(({ contentType }) => types.includes(contentType))?.content
  const status = typed(['message/delivery-status', 'message/global-delivery-status'])
  if (!status) return null
  const returned = typed(['message/rfc822', 'text/rfc822-headers', 'message/rfc822-headers', 'message/global', 'message/global-headers'])
  const about = returned && (await simpleParser(returned.subarray(0, returnedBytes), options))
  return { status: bounded(status.toString()), messageId: identifier(about?.messageId) }
}

/** Whether its name is in raw bytes that are not UTF-8: the library decodes it as ISO-8859-1, and in the parameters of the header with U+FFFD. */
function hasRawName({ filename = '', headers }: AttachmentStream): boolean {
  const of = (header: string) => (headers.get(header) as StructuredHeader | undefined)?.params
  const read = of('content-disposition')?.filename ?? of('content-type')?.name
  return (read?.includes('\u{FFFD}') ?? false) && !/[^\0-\xff]/.test(filename)
}

/** @param charset of the message */
function filenameOf(file: AttachmentStream, charset: string | undefined): string {
  const { filename = '' } = file
  if (charset === undefined || !hasRawName(file)) return filename
  try {
    return new TextDecoder(charset, { fatal: true }).decode(Buffer.from(filename, 'latin1'))
  } catch {
    // The charset is unknown, or the name is in another one.
    return filename
  }
}

async function messageOf(source: Uint8Array) {
  const { parsed, files, isTextOfHtml } = await read(source)
  const shown = files.slice(0, mostAttachments)
  const charset = shown.some(hasRawName) ? charsetOf(bufferOf(source)) : undefined
  const attachments = shown.map((one, position) => ({
    ...{ position, filename: clean(filenameOf(one, charset)), mime: clean(one.contentType), size: one.size ?? 0 },
    contentId: identifier(one.cid ?? one.contentId),
  }))
  const header = headerOf(parsed)
  const [html, text] = [parsed.html || '', parsed.text || '']
  // The library takes a date that it cannot read for now.
  const written = header.lines.find(([name]) => name === 'date')?.[1] ?? ''
  const isReport = /^multipart\/report\b/i.test(header.lines.find(([name]) => name === 'content-type')?.[1] ?? '')
  return {
    ...header,
    report: isReport ? await reportOf(source) : null,
    text: bounded(isTextOfHtml ? `${text}\n${await textOf(html.replace(textsAsHtml, ''))}`.trim() : text),
    ...{ html: html === '' ? null : bounded(html.length > htmlCharacters ? withoutData(html) : html), attachments },
    dateMs: Number.isNaN(Date.parse(written)) ? null : (parsed.date?.getTime() ?? null),
    priority: priorities[String(parsed.headers ? parsed.headers.get('priority') : '')] ?? 3,
  }
}

const headersOf = (blocks: readonly Uint8Array[]) =>
  Promise.all(blocks.map(async (block) => headerOf((await read(block).catch(() => undefined))?.parsed ?? new MailParser())))

async function attachmentsOf(source: Uint8Array, positions: readonly number[]) {
  const { attachments } = await simpleParser(streamOf(source), options)
  return positions.map((position) => attachments[position]?.content ?? null)
}

type Asked = { readonly source: Uint8Array; readonly positions?: readonly number[] } | { readonly blocks: readonly Uint8Array[] }

export default function answerTo(asked: Asked) {
  if (!('source' in asked)) return headersOf(asked.blocks)
  return asked.positions ? attachmentsOf(asked.source, asked.positions) : messageOf(asked.source)
}
