import type { Readable } from 'node:stream'
import { type AttachmentStream, type StructuredHeader, simpleParser } from 'mailparser'
import { headerIn, namedWithinBytes, streamOf } from './message-bytes.ts'
import { options } from './parser-options.ts'

/** Names an attached message by its subject. The message is read to its end, but little more than its header is kept. */
export async function nameBySubject(part: AttachmentStream): Promise<void> {
  let beginning: Buffer = Buffer.alloc(0)
  for await (const chunk of part.content as Readable)
    if (beginning.byteLength < namedWithinBytes) beginning = Buffer.concat([beginning, chunk])
  const { subject } = await simpleParser(streamOf(headerIn(beginning)), options)
  if (subject) part.filename = `${subject.slice(0, 200)}.eml`
}

/** Whether the file name is in raw bytes that are not UTF-8: the library decodes it as ISO-8859-1, and in the header's parameters with U+FFFD. */
export function hasRawName({ filename = '', headers }: AttachmentStream): boolean {
  const of = (header: string) => (headers.get(header) as StructuredHeader | undefined)?.params
  const read = of('content-disposition')?.filename ?? of('content-type')?.name
  return (read?.includes('\u{FFFD}') ?? false) && !/[^\0-\xff]/.test(filename)
}

/** The name of a file. @param charset the charset of the message, with which a raw name is decoded */
export function filenameOf(file: AttachmentStream, charset: string | undefined): string {
  const { filename = '' } = file
  if (charset === undefined || !hasRawName(file)) return filename
  try {
    return new TextDecoder(charset, { fatal: true }).decode(Buffer.from(filename, 'latin1'))
  } catch {
    // The charset is unknown, or the name is in another one.
    return filename
  }
}
