import { type AttachmentStream, MailParser, type MessageText, simpleParser } from 'mailparser'
import { bounded, clean, identifier } from './worker/clean-text.ts'
import { filenameOf, hasRawName, nameBySubject } from './worker/file-names.client.ts'
import { bufferOf, charsetOf, returnedBytes, streamOf } from './worker/message-bytes.ts'
import { headerOf } from './worker/message-header.client.ts'
import { textOf, textsAsHtml, textToHtml, withoutData } from './worker/message-html.client.ts'
import { options } from './worker/parser-options.ts'
import { decodeUndeclared } from './worker/undeclared-charset.client.ts'

/** The most characters of HTML: longer HTML is stored without embedded images, or shown as text. */
const htmlCharacters = 524_288
const maxAttachments = 1000
/** The media type of a file whose Content-Type names none. */
const undeclaredType = 'application/octet-stream'
const priorities: Readonly<Record<string, number>> = { high: 2, low: 4 }

/** Parses a message to its end. The bytes of its files are counted, and not kept. */
async function read(source: Uint8Array) {
  const parsed = Object.assign(new MailParser(options), { textToHtml })
  decodeUndeclared(parsed, () => charsetOf(bufferOf(source)))
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
    // Errors are ignored, because a part that the parser gives up has no end.
    if (part.contentType === 'message/rfc822' && !part.filename) named.push(nameBySubject(part).catch(() => undefined))
    part.content.resume()
  }
  await Promise.all(named)
  return { parsed, files, isTextOfHtml }
}

/** Parses again for a delivery report: by default the library merges a message/delivery-status part into the text. */
async function reportOf(source: Uint8Array) {
  const { attachments } = await simpleParser(streamOf(source), { ...options, keepDeliveryStatus: true })
  const typed = (types: readonly string[]) => attachments.find(({ contentType }) => types.includes(contentType))?.content
  const status = typed(['message/delivery-status', 'message/global-delivery-status'])
  if (!status) return null
  const returned = typed(['message/rfc822', 'text/rfc822-headers', 'message/rfc822-headers', 'message/global', 'message/global-headers'])
  const about = returned && (await simpleParser(returned.subarray(0, returnedBytes), options))
  return { status: bounded(status.toString()), messageId: identifier(about?.messageId) }
}

async function messageOf(source: Uint8Array) {
  const { parsed, files, isTextOfHtml } = await read(source)
  const shown = files.slice(0, maxAttachments)
  const charset = shown.some(hasRawName) ? charsetOf(bufferOf(source)) : undefined
  const attachments = shown.map((one, position) => ({
    ...{ position, filename: clean(filenameOf(one, charset)), mime: clean(one.contentType || undeclaredType), size: one.size ?? 0 },
    contentId: identifier(one.cid ?? one.contentId),
  }))
  const header = headerOf(parsed)
  const [html, text] = [parsed.html || '', parsed.text || '']
  // The library makes no text of HTML in a multipart message that has no text part.
  const needsTextOfHtml = isTextOfHtml || text.trim() === ''
  // The library replaces an unreadable date by the current time.
  const written = header.lines.find(([name]) => name === 'date')?.[1] ?? ''
  const isReport = /^multipart\/report\b/i.test(header.lines.find(([name]) => name === 'content-type')?.[1] ?? '')
  return {
    ...header,
    report: isReport ? await reportOf(source) : null,
    text: bounded(needsTextOfHtml ? `${text}\n${await textOf(html.replace(textsAsHtml, ''))}`.trim() : text),
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

type ParsingTask = { readonly source: Uint8Array; readonly positions?: readonly number[] } | { readonly blocks: readonly Uint8Array[] }

/**
 * The program of a worker thread. Its results can be stored in PostgreSQL, which accepts neither NUL nor lone surrogates. Node.js loads the file
 * itself, in tests uncompiled: our own imports end with `.ts`, which the compiler rewrites (`rewriteRelativeImportExtensions`).
 */
export default function answerTo(task: ParsingTask) {
  if (!('source' in task)) return headersOf(task.blocks)
  return task.positions ? attachmentsOf(task.source, task.positions) : messageOf(task.source)
}
