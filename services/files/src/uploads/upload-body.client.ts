import type { Readable } from 'node:stream'
import { AppError, tooLarge } from '@caseway/kit/errors'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { fileMissing, severalFiles, unreadableUpload } from '../errors.js'

/** The maximum of boundaries, headers and fields around the file, in bytes. */
const overheadBytes = 65_536

/** The limits of the parser. The size of the file is limited where it is stored. A second file is let through, to be refused with its own error. */
const limits = { files: 2, fields: 8, parts: 10, fieldSize: 1_024, fieldNameSize: 64, headerPairs: 16, fileSize: Number.POSITIVE_INFINITY }

/** The buffer of the body and of the file, in bytes. With the default of 64 KiB the sender would have to wait after each chunk. */
const bufferBytes = 131_072

/** Lets routes of `app` parse `multipart/form-data` by `readUpload`, which refuses every other body. */
export function readUploads(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.register(multipart)
  app.addContentTypeParser('*', (_request, _body, done) => done(null))
}

export interface Upload<Stored> {
  readonly stored: Stored
  /** The other fields of the form; one that is repeated has all its values, as in a query. */
  readonly fields: Readonly<Record<string, string | readonly string[]>>
}

/**
 * Reads a body of `multipart/form-data` with one part `file`, which is streamed to `store`. Where it fails, the results of
 * `store` are passed to `discard`.
 * @throws AppError `invalid` for any other body; `too-large`, by Content-Length before the body is read
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
      // A form without a chosen file sends this (HTML Standard 4.10.22.4).
      if (!part.filename && file.bytesRead === 0) throw fileMissing()
    }
    const [only] = stored
    if (only === undefined) throw fileMissing()
    // The sender has gone, or a gateway has told them that it took too long: what nobody acknowledges is not kept.
    if (request.socket.destroyed) throw unreadableUpload()
    return { stored: only, fields }
  } catch (error) {
    // The rest of the body is drained, so that the connection can be reused.
    request.raw.unpipe()
    request.raw.resume()
    for (const each of stored) await discard(each)
    throw error instanceof AppError || error === ours ? error : unreadableUpload()
  }
}

/**
 * Decodes a file name: browsers escape only quotation marks and line ends in it (HTML Standard 4.10.22.8). For a part
 * that is a file only by its type, the parser has no name.
 */
const nameOf = (sent: string | undefined): string => (sent ?? '').replace(/%22|%0D|%0A/g, (escaped) => decodeURIComponent(escaped))
