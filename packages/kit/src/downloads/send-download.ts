import { Readable } from 'node:stream'
import { create as contentDisposition } from 'content-disposition'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ByteRange } from '../blobs/index.js'
import { freeWritten, observe } from '../buffers/index.js'
import { envelope, isUnchanged, send } from '../http/index.js'
import { requestedRange } from './requested-range.js'

/** The description of a file that is sent. */
export interface Download {
  readonly name: string
  /** Media type. */
  readonly mime: string
  readonly sizeBytes: number
  /** A strong entity tag, with its quotes. */
  readonly etag: string
}

const noSuchPart = envelope(416, 'The file has no such part.', 'RANGE_NOT_SATISFIABLE')

/** Untrusted bytes are sent as an attachment and in a sandbox, so that a browser never runs them in our origin. */
const headersOf = ({ name, mime }: Download) => ({
  'content-type': mime,
  'content-disposition': contentDisposition(name),
  'content-security-policy': 'sandbox',
  'accept-ranges': 'bytes',
})

/**
 * Answers with a file, with a part of it where the request names a range (RFC 9110 14; one at most), with 304, or with 416. It checks no access: call it after
 * all checks.
 * @param open opens the bytes; called only where they are sent. Whatever it throws becomes the answer. The chunks of the stream are freed once they are written
 */
export async function sendDownload(
  request: FastifyRequest,
  reply: FastifyReply,
  file: Download,
  open: (range?: ByteRange) => Promise<Readable>,
): Promise<FastifyReply> {
  const { etag, sizeBytes } = file
  const { 'if-range': ifRange } = request.headers
  // `Range` is defined for GET only (RFC 9110 14.2).
  const range = request.method === 'GET' ? request.headers.range : undefined
  if (isUnchanged(request, reply, etag)) return reply.code(304).send()
  const part = requestedRange({ range, ifRange: ifRange as string | undefined }, sizeBytes, etag)
  if (part === 'unsatisfiable') return send(reply.header('content-range', `bytes */${sizeBytes}`), noSuchPart)
  // HEAD opens no file. The headers of the file are set only once it is open, because the answer to an error must not have them.
  const length = part ? part.end - part.start + 1 : sizeBytes
  const content = request.method === 'HEAD' ? Readable.from([]) : closeIfIncomplete(reply, length, await open(part))
  reply.headers(headersOf(file)).header('content-length', length)
  if (part) reply.code(206).header('content-range', `bytes ${part.start}-${part.end}/${sizeBytes}`)
  freeWritten(reply.raw)
  return reply.send(content)
}

/** Closes the connection where `content` ends before `length` bytes (RFC 9112 8), because the client would wait for the rest. */
function closeIfIncomplete(reply: FastifyReply, length: number, content: Readable): Readable {
  let missing = length
  content.once('end', () => {
    if (missing === 0) return
    reply.log.error({ missing }, 'The storage has fewer bytes of a file than its record says.')
    reply.raw.destroy()
  })
  return observe(content, ({ length }) => {
    missing -= length
  })
}
