import type { Readable } from 'node:stream'
import { AppError, tooLarge } from '@caseway/kit/errors'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { fileMissing, severalFiles, unreadableUpload } from '../errors.js'

/** Boundaries, headers and fields around the file. */
const overheadBytes = 65_536

/** Of an upload: one file, whose size is counted where it is stored, and few short fields. */
const limits = { files: 2, fields: 8, parts: 10, fieldSize: 1_024, fieldNameSize: 64, headerPairs: 16, fileSize: Number.POSITIVE_INFINITY }

/** Held of a body, and of its file, before the sender has to wait: with the 64 KiB of a stream they would wait after each chunk. In bytes. */
const bufferBytes = 131_072

/** Lets routes of `app` read `multipart/form-data`, and nothing else: `readUpload` refuses any other body, whatever its type. */
export function readUploads(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.register(multipart)
  app.addContentTypeParser('*', (_request, _body, done) => done(null))
}

export interface Upload<Stored> {
  readonly stored: Stored
  /** The fields beside the file; one that is given more than once has all its values, as in a query. */
  readonly fields: Readonly<Record<string, string | readonly string[]>>
}

/**
 * Reads a body of `multipart/form-data` with the one part `file`; `store` reads that as it arrives. Without success nothing is stored: what
 * `store` has made is given to `discard`.
 * @throws AppError `invalid` for any other body, `too-large` before it is read where it says so itself
 */
export async function readUpload<Stored>(
  request: FastifyRequest,
  maxBytes: number,
  store: (name: string, content: Readable) => Promise<Stored>,
  discard: (stored: Stored) => Promise<void>,
): Promise<Upload<Stored>> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes + overheadBytes) throw tooLarge()
  const fields: Record<string, string | readonly string[]> = {}
  const stored: Stored[] = []
  let ours: unknown
  try {
    for await (const part of request.parts({ limits, highWaterMark: bufferBytes, fileHwm: bufferBytes })) {
      if (part.type === 'field') {
        const { fieldname: name, value } = part
        fields[name] = Object.hasOwn(fields, name) ? [fields[name] ?? [], String(value)].flat() : String(value)
        continue
      }
      if (part.fieldname !== 'file' || stored.length > 0) throw severalFiles()
      const { file } = part
      stored.push(
        await store(nameOf(part.filename), file).catch((error) => {
          if (!file.errored) ours = error
          throw error
        }),
      )
      // What a form sends in which no file was chosen (HTML Standard 4.10.22.4).
      if (!part.filename && file.bytesRead === 0) throw fileMissing()
    }
    const [only] = stored
    if (only === undefined) throw fileMissing()
    // The sender has gone, or a gateway has told them that it took too long: what nobody acknowledges is not kept.
    if (request.socket.destroyed) throw unreadableUpload()
    return { stored: only, fields }
  } catch (error) {
    // The rest of the body is read, or the connection could not be used again.
    request.raw.unpipe()
    request.raw.resume()
    for (const each of stored) await discard(each)
    throw error instanceof AppError || error === ours ? error : unreadableUpload()
  }
}

/**
 * The name as its sender has it: browsers write quotation marks and line ends in it like this, and nothing else (HTML Standard 4.10.22.8). Of a part
 * that is a file by its type alone, the parser has no name.
 */
const nameOf = (sent: string | undefined): string => (sent ?? '').replace(/%22|%0D|%0A/g, (escaped) => decodeURIComponent(escaped))
